import { useQuery } from '@tanstack/react-query';
import { Link } from '../ui/Link.tsx';
import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { ResendConfirmation } from '../features/accounts/account/account.public.ts';
import { isExtendable, packagesQuery } from '../features/billing/billing/billing.public.ts';
import { paths } from '../paths.ts';
import { can } from '../shared/can.ts';
import { formatDate, formatMoment, haveLeftInWords, listInWords } from '../shared/format.ts';
import { findFailedAddress, useMailDeliveries } from '../shared/mail-deliveries.ts';
import { today } from '../shared/school-day.ts';
import { bannerOf } from './banner.ts';
import css from './Banners.module.css';

/** Above every page: the user's unconfirmed email address, the closing of the school, and its subscription. */
export function Banners({ user, school }: { user: User; school: School | undefined }) {
  return (
    <>
      {user.email_confirmation_due_at && <ConfirmationBanner user={user} dueAt={user.email_confirmation_due_at} />}
      {user.second_factor_due_on && <SecondFactorBanner dueOn={user.second_factor_due_on} />}
      {school?.closing && <ClosingBanner user={user} closing={school.closing} />}
      {school?.admin_request && <NewAdminBanner user={user} request={school.admin_request} />}
      {school && <SubscriptionBanner user={user} school={school} />}
      {school && <FailedAddressBanner user={user} access={school.access} />}
    </>
  );
}

/** For those who can change it: emails to the user or to the billing contact do not arrive. */
function FailedAddressBanner({ user, access }: { user: User; access: School['access'] }) {
  const failed = findFailedAddress(useMailDeliveries(user));
  if (!failed) return null;
  const { delivery, advice, isOwn } = failed;
  return (
    <aside className={`row ${css.banner} no-print`} data-tone="warning" aria-label="Emails that come back">
      <span>
        Emails to {delivery.email} do not arrive
        {delivery.reason ? `: “${delivery.reason}”` : '.'}
      </span>
      <Link to={isOwn ? paths.account() : access === 'locked' ? paths.paymentRequired() : paths.editSchool()}>
        {advice}
      </Link>
    </aside>
  );
}

function ConfirmationBanner({ user, dueAt }: { user: User; dueAt: string }) {
  return (
    <aside className={`row ${css.banner} no-print`} aria-label="Confirmation">
      <span>
        Confirm your email address by {formatDate(dueAt)}: open the link we sent to {user.email}. We’ll send your
        invitations once you have.
      </span>
      <ResendConfirmation />
      <Link to={paths.account()}>Change the address</Link>
    </aside>
  );
}

function SecondFactorBanner({ dueOn }: { dueOn: string }) {
  return (
    <aside className={`row ${css.banner} no-print`} aria-label="Login security">
      <span>From {formatDate(dueOn)} you need a passkey or an authenticator app to log in.</span>
      <Link to={paths.security()}>Add one now</Link>
    </aside>
  );
}

function ClosingBanner({ user, closing }: { user: User; closing: NonNullable<School['closing']> }) {
  return (
    <aside className={`row ${css.banner} no-print`} data-tone="warning" aria-label="Closing">
      <span>
        {closing.closed_at
          ? `Your school is closed. You can read and download everything until ${formatDate(closing.erase_at ?? closing.closed_at)}, but not change anything. Then it is erased.`
          : `Your school closes on ${formatDate(closing.takes_effect_at)}, or earlier if another admin confirms it.`}
      </span>
      {can(user, 'view_privacy') && <Link to={paths.dataAndPrivacy()}>Data and privacy</Link>}
    </aside>
  );
}

/** For admins as soon as someone asks for a new one, and for all staff once two operators have decided. */
function NewAdminBanner({ user, request }: { user: User; request: NonNullable<School['admin_request']> }) {
  const { due_at: dueAt, new_admin: newAdmin, former_admins: formerAdmins } = request;
  if (!dueAt && user.enterprise_user_role !== 'admin') return null;
  const newName = newAdmin?.name ?? 'a former colleague';
  const formerNames = formerAdmins.length > 0 ? formerAdmins.map(({ name }) => name) : ['the former admin'];
  return (
    <aside className={`row ${css.banner} no-print`} data-tone="warning" aria-label="New admin">
      <span>
        {dueAt
          ? `On ${formatMoment(dueAt)} ${newName} becomes an admin of your school, and ${listInWords(formerNames)} ${formerNames.length === 1 ? 'loses' : 'lose'} access to it.`
          : `We have been asked to make ${newName} an admin of your school, because ${haveLeftInWords(formerNames)}.`}
      </span>
      <Link to={paths.appointAdmin()}>
        {user.enterprise_user_role === 'admin' ? 'Is this wrong? Stop it' : 'See the request'}
      </Link>
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
    <aside className={`row ${css.banner} no-print`} data-tone={banner.tone} aria-label="Subscription">
      <span>{banner.text}</span>
      {banner.link && <Link to={banner.link.to}>{banner.link.text}</Link>}
    </aside>
  );
}
