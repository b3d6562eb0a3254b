import type { School } from '#contract/calls/school.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { plusDays } from '#contract/school-calendar.ts';
import { isExtendable } from '../features/billing/billing/billing.public.ts';
import { paths } from '../paths.ts';
import { formatDate } from '../shared/format.ts';
import { startWithoutTeaching } from '../shared/guard.ts';

/** `warning`: something stops working within a week, or has stopped. */
type Tone = 'neutral' | 'warning';

interface Banner {
  tone: Tone;
  text: string;
  link?: { text: string; to: string };
}

type Subscription = Pick<
  NonNullable<School['subscription']>,
  'is_trial' | 'has_expired' | 'meta' | 'next_period' | 'package_id' | 'payment_provider'
>;

interface Situation {
  access: School['access'];
  subscription: Subscription | null;
  /** For managers of the subscription; absent for the rest of the staff. */
  openInvoice?: { due_date: string } | null | undefined;
  isManager: boolean;
  /** Pupils who use a place. */
  pupils: number;
  /** The package is offered for another year. Undefined until that is known. */
  isOffered?: boolean | undefined;
  today: string;
}

/** Days before an end or a due date from which the banner is a warning. */
const WARNING_DAYS = 7;

/** Days before the next period from which the banner reports that it has too few places. */
const SHORTAGE_DAYS = 30;

const inDays = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`);

/** What staff see above every page about their school's subscription. Null when nothing is due. */
export function bannerOf(situation: Situation): Banner | null {
  const { access, subscription, openInvoice, isManager, today } = situation;
  if (access !== 'open' && access !== 'closed') return closedBanner(situation, access);
  if (openInvoice)
    return {
      tone: openInvoice.due_date <= plusDays(today, WARNING_DAYS) ? 'warning' : 'neutral',
      text: `You have an unpaid invoice due by ${formatDate(openInvoice.due_date)}`,
      link: { text: 'View invoice', to: paths.subscription() },
    };
  const shortage = shortageBanner(situation);
  if (shortage) return shortage;
  if (!subscription || subscription.has_expired || !subscription.meta.is_nearing_end) return null;
  const days = subscription.meta.num_of_days_before_end;
  const isNear = days <= WARNING_DAYS;
  if (!isManager)
    return isNear
      ? {
          tone: 'neutral',
          text: `Your school’s subscription ends ${inDays(days)}. To renew it, please speak to your school administrator.`,
        }
      : null;
  const text = `Your subscription ends ${inDays(days)}`;
  if (subscription.is_trial)
    return isNear
      ? { tone: 'neutral', text, link: { text: 'Choose a package', to: paths.selectSubscription() } }
      : null;
  return { tone: isNear ? 'warning' : 'neutral', text, link: renewalLink(situation, subscription) };
}

/** For managers, before a period with fewer places than the school has pupils. */
function shortageBanner({ subscription, pupils, isManager, today }: Situation): Banner | null {
  const next = subscription?.next_period;
  if (!isManager || !next || next.from > plusDays(today, SHORTAGE_DAYS)) return null;
  if (next.max_readers >= UNLIMITED_READERS || pupils <= next.max_readers) return null;
  return {
    tone: next.from <= plusDays(today, WARNING_DAYS) ? 'warning' : 'neutral',
    text: `From ${formatDate(next.from)} your package has ${next.max_readers} places. You have ${pupils} pupils, so you will not be able to add any.`,
    link: { text: 'View packages', to: paths.subscription() },
  };
}

function renewalLink({ isOffered }: Situation, subscription: Subscription): Banner['link'] {
  if (!isExtendable(subscription)) return { text: 'Ask us to contact you', to: paths.renewal() };
  return isOffered === false
    ? { text: 'View packages', to: paths.subscription() }
    : { text: 'Extend', to: paths.fillBillingDetails(subscription.package_id ?? undefined) };
}

/** Above the pages that are still available in a closed school. */
function closedBanner(
  { openInvoice, isManager }: Situation,
  access: Parameters<typeof startWithoutTeaching>[0],
): Banner {
  const to = startWithoutTeaching(access);
  if (access === 'locked')
    return openInvoice
      ? {
          tone: 'warning',
          text: `You have an unpaid invoice due by ${formatDate(openInvoice.due_date)}. The account is locked.`,
          link: { text: 'Pay the invoice', to },
        }
      : { tone: 'warning', text: 'Your school’s account is locked.', link: { text: 'What you can still do', to } };
  const whose = isManager ? 'Your' : 'Your school’s';
  return {
    tone: 'warning',
    text: access === 'expired' ? `${whose} subscription has expired.` : 'Your school has no subscription.',
    link: { text: isManager ? 'Choose a package' : 'What you can still do', to },
  };
}
