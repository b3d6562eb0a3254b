import type { School } from '#contract/calls/school.ts';
import { formatDate } from '../shared/format.ts';

interface Banner {
  text: string;
  action: string;
  to: 'subscription' | 'selectSubscription';
}

type Subscription = Pick<NonNullable<School['subscription']>, 'is_trial' | 'has_expired' | 'meta'>;
type Invoices = Pick<NonNullable<School['invoices']>['meta'], 'open_invoice'>;

const inDays = (days: number): string => (days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`);

/** What managers of a subscription are told above every page; null when nothing is due. */
export function bannerOf(subscription: Subscription | null, invoices: Invoices | undefined): Banner | null {
  const open = invoices?.open_invoice;
  if (open)
    return {
      text: `You have an unpaid invoice due by ${formatDate(open.due_date)}`,
      action: 'See the invoice',
      to: 'subscription',
    };
  if (!subscription || subscription.has_expired || !subscription.meta.is_nearing_end) return null;
  return {
    text: `Your subscription ends ${inDays(subscription.meta.num_of_days_before_end)}`,
    ...(subscription.is_trial
      ? { action: 'Choose a package', to: 'selectSubscription' as const }
      : { action: 'Extend', to: 'subscription' as const }),
  };
}
