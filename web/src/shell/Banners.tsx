import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { ResendConfirmation } from '../features/account/account.public.ts';
import { isExtendable, packagesQuery } from '../features/billing/billing.public.ts';
import { paths } from '../paths.ts';
import { can } from '../shared/can.ts';
import { formatDate } from '../shared/format.ts';
import { today } from '../shared/school-day.ts';
import { bannerOf } from './banner.ts';
import css from './Banners.module.css';

/** Above every page: the user's unconfirmed email address, and the school's subscription. */
export function Banners({ user, school }: { user: User; school: School | undefined }) {
  return (
    <>
      {user.email_confirmation_due_at && <ConfirmationBanner user={user} dueAt={user.email_confirmation_due_at} />}
      {school && <SubscriptionBanner user={user} school={school} />}
    </>
  );
}

function ConfirmationBanner({ user, dueAt }: { user: User; dueAt: string }) {
  return (
    <aside className={css.banner} aria-label="Confirmation">
      <span>
        Confirm your email address by {formatDate(dueAt)}: open the link we sent to {user.email}. We’ll send your
        invitations once you have.
      </span>
      <ResendConfirmation />
      <Link to={paths.account()}>Change the address</Link>
    </aside>
  );
}

function SubscriptionBanner({ user, school }: { user: User; school: School }) {
  const isManager = can(user, 'manage_subscription', school);
  const { subscription } = school;
  const isExtendSoon =
    isManager &&
    school.access === 'open' &&
    subscription !== null &&
    subscription.meta.is_nearing_end &&
    isExtendable(subscription) &&
    !school.invoices?.meta.has_open_invoice;
  const packages = useQuery({ ...packagesQuery(school.id), enabled: isExtendSoon }).data?.packages;
  const banner = bannerOf({
    access: school.access,
    subscription,
    openInvoice: school.invoices?.meta.open_invoice,
    isManager,
    pupils: school.readers_count,
    isOffered: packages?.some(({ id, meta }) => id === subscription?.package_id && meta.is_extending),
    today: today(),
  });
  if (!banner) return null;
  return (
    <aside className={css.banner} data-tone={banner.tone} aria-label="Subscription">
      <span>{banner.text}</span>
      {banner.link && <Link to={banner.link.to}>{banner.link.text}</Link>}
    </aside>
  );
}
