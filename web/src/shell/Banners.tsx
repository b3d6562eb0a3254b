import { Link } from 'react-router';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { ResendConfirmation } from '../features/account/account.public.ts';
import { paths } from '../paths.ts';
import { can } from '../shared/can.ts';
import { formatDate } from '../shared/format.ts';
import { bannerOf } from './banner.ts';
import css from './Banners.module.css';

/** What stands above every page: the person's own address, and what concerns whoever manages the subscription. */
export function Banners({ user, school }: { user: User; school: School | undefined }) {
  const isManager = school !== undefined && can(user, 'manage_subscription', school);
  return (
    <>
      {user.email_confirmation_due_at && <ConfirmationBanner user={user} dueAt={user.email_confirmation_due_at} />}
      {isManager && <SubscriptionBanner school={school} />}
    </>
  );
}

function ConfirmationBanner({ user, dueAt }: { user: User; dueAt: string }) {
  return (
    <aside className={css.banner} aria-label="Confirmation">
      <span>
        Confirm your email address by {formatDate(dueAt)}: open the link that we sent to {user.email}. The invitations
        that you send wait for it.
      </span>
      <ResendConfirmation />
      <Link to={paths.account()}>Change the address</Link>
    </aside>
  );
}

function SubscriptionBanner({ school }: { school: School }) {
  const banner = bannerOf(school.subscription, school.invoices?.meta);
  if (!banner) return null;
  return (
    <aside className={css.banner} aria-label="Subscription">
      <span>{banner.text}</span>
      <Link to={paths[banner.to]()}>{banner.action}</Link>
    </aside>
  );
}
