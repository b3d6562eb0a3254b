import type { School } from '#contract/calls/school.ts';
import { type Area, isAreaOpen, type SchoolAccess } from '#contract/school-access.ts';
import { paths } from '../paths.ts';
import { can, type Right } from '../shared/can.ts';
import type { Session } from '../shared/session.ts';

/**
 * Who may open a screen: `open` everybody, in any state (set-up and token links, logout, invites) ·
 * `guest` those who are not signed in · `newcomer` guests, and signed-in people without a school ·
 * `reset` the page behind a password-reset link · `member` signed-in people ·
 * `account` signed-in people, and first of all those whose time to confirm their address is over ·
 * `operator` operators, and guests, who find a login of its own there ·
 * the rest are the steps that a signed-in person may be held at.
 */
export type Access =
  | 'open'
  | 'guest'
  | 'newcomer'
  | 'reset'
  | 'member'
  | 'account'
  | 'operator'
  | 'new-password'
  | 'terms';

export interface Guarded {
  access: Access;
  right?: Right;
  /** What the screen is for; `teaching` when absent. The server closes its calls by the same areas. */
  area?: Area;
}

type Address = Pick<Location, 'pathname' | 'search'>;

const OPEN_TO_GUESTS: readonly Access[] = ['guest', 'newcomer', 'reset', 'operator'];

/**
 * Where a visitor has to go instead of the screen, or null when it may be shown.
 */
export function guard(
  screen: Guarded,
  location: Address,
  session: Session | null,
  school?: Pick<School, 'user_manages' | 'access'>,
): string | null {
  if (screen.access === 'open') return null;
  if (!session) return OPEN_TO_GUESTS.includes(screen.access) ? null : loginFor(location);

  const { user } = session;
  if (screen.access === 'reset') return paths.subscription(location.search);
  if (screen.access === 'newcomer' && can(user, 'add_school') && !user.require_email_confirmation) return null;
  if (screen.access === 'guest' || screen.access === 'newcomer') return paths.dashboard();

  if (user.require_password_reset) return screen.access === 'new-password' ? null : paths.newPassword();
  if (screen.access === 'new-password') return null;
  if (user.require_email_confirmation) return screen.access === 'account' ? null : paths.account();
  if (screen.access === 'operator') return user.is_operator ? null : paths.dashboard();
  if (!user.enterprise) return withoutSchool(user.user_type);
  if (!user.enterprise.terms_accepted_at) return screen.access === 'terms' ? null : paths.confirmDetails();
  if (screen.access === 'terms') return paths.dashboard();
  if (school && !isAreaOpen(screen.area ?? 'teaching', school.access)) return startOf(school.access);
  return screen.right && !can(user, screen.right, school) ? paths.dashboard() : null;
}

/** The screen from which staff reach all that their school's state leaves open. */
export const startOf = (access: SchoolAccess): string =>
  ({
    open: paths.dashboard(),
    none: paths.selectSubscription(),
    expired: paths.selectSubscription({ show_sp_link: 'false' }),
    locked: paths.paymentRequired({ show_sp_link: 'false' }),
  })[access];

/** Where somebody without a school goes after login. */
export const withoutSchool = (userType: 'enterprise' | 'standard'): string =>
  userType === 'enterprise' ? paths.registerSchool() : paths.subscriptionStep('warning');

function loginFor({ pathname, search }: Address): string {
  const wanted = pathname + search;
  return paths.login(wanted === '/' ? {} : { redirect: wanted });
}

/** The path to go to after login: only one of our own, so that no link can lead to another site. */
export function safeRedirect(wanted: string | null): string {
  // Browsers drop tabs and line breaks in an address: "/\t/other.site" would lead away.
  if (!wanted || !/^\/(?![/\\])/.test(wanted) || /[\u0000-\u001f\\]/.test(wanted)) return paths.dashboard();
  return wanted;
}
