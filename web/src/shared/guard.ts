import type { User } from '#contract/calls/access.ts';
import type { School } from '#contract/calls/school.ts';
import { readOwnPath } from '#contract/own-path.ts';
import { type Area, isAreaOpen, type SchoolAccess } from '#contract/school-access.ts';
import { paths } from '../paths.ts';
import { can, type Member, type Right } from './can.ts';
import { isLogOutPending } from './log-out-cookie.ts';
import type { Session } from './session.ts';
import { isSupplyTeacher } from './supply-teacher.ts';

/**
 * Who may open a screen: `open` everyone, in any state (set-up and token links, logout, invites) · `guest` users who
 * are not signed in · `newcomer` guests, and signed-in users without a school · `reset` the page behind a
 * password-reset link · `member` signed-in users · `account` signed-in users, including those who no longer have time
 * to confirm their address · `provider` signed-in users who must sign in at a provider before their school opens
 * · `staff` signed-in members of a school, whatever the state of the school · `operator` operators, and guests, who see a separate login there · the rest are steps
 * that a signed-in user must complete first.
 */
export type Access =
  | 'open'
  | 'guest'
  | 'newcomer'
  | 'reset'
  | 'member'
  | 'account'
  | 'staff'
  | 'operator'
  | 'provider'
  | 'new-password'
  | 'terms';

export interface ScreenAccess {
  access: Access;
  right?: Right;
  /** The area of the screen; `teaching` when absent. The server closes its calls by the same areas. */
  area?: Area;
  /** The screen only changes data. A closed school does not have it. */
  changes?: true;
  /** The screen is also for supply teachers, who have no account: no call of it is about the caller's own account. */
  forSupply?: true;
}

type UrlParts = Pick<Location, 'pathname' | 'search'>;

const OPEN_TO_GUESTS: readonly Access[] = ['guest', 'newcomer', 'reset', 'operator'];

/** Where a visitor must go instead of the screen, or null when they may see it. */
export function guard(
  screen: ScreenAccess,
  location: UrlParts,
  session: Session | null,
  school?: Pick<School, 'user_manages' | 'access'>,
): string | null {
  if (screen.access === 'open') return null;
  // In every tab: no page may look logged out meanwhile. The operators' login says itself whom it has logged out.
  if (!session && isLogOutPending() && screen.access !== 'operator') return logoutFrom(screen, location);
  if (!session) return OPEN_TO_GUESTS.includes(screen.access) ? null : loginFor(location);

  const { user } = session;
  if (isSupplyTeacher(user) && !screen.forSupply) return homeFor(user);
  if (mustSignInElsewhere(user)) return screen.access === 'provider' ? null : providerLoginFrom(screen, location);
  if (screen.access === 'reset') return paths.subscription(location.search);
  if (screen.access === 'newcomer' && can(user, 'add_school') && !user.require_email_confirmation) return null;
  if (screen.access === 'guest' || screen.access === 'newcomer') return homeFor(user);

  if (user.require_password_reset) return screen.access === 'new-password' ? null : paths.newPassword();
  if (screen.access === 'new-password') return null;
  if (screen.access === 'staff' && user.enterprise) return null;
  if (screen.access === 'provider') return homeFor(user);
  if (user.require_email_confirmation) return screen.access === 'account' ? null : paths.account();
  if (screen.access === 'operator') return user.is_operator ? null : homeFor(user);
  if (!user.enterprise) return withoutSchool(user.user_type);
  if (!user.enterprise.terms_accepted_at) return screen.access === 'terms' ? null : paths.confirmDetails();
  if (screen.access === 'terms') return homeFor(user);
  if (school && !isAreaOpen(screen.area ?? 'teaching', school.access)) return startOf(school.access, user);
  if (screen.changes && school?.access === 'closed') return startOf('closed', user);
  return screen.right && !can(user, screen.right, school) ? homeFor(user) : null;
}

type MemberWithCovers = Member & Pick<User, 'covers'>;

/** The first screen of each role. That of a supply teacher is the class that they cover, or the list of several. */
export function homeFor(user: MemberWithCovers): string {
  if (isSupplyTeacher(user)) {
    const [only, ...more] = user.covers;
    return only && more.length === 0 ? paths.classPage(only.group_id) : paths.classes();
  }
  if (user.enterprise_id === null || can(user, 'view_pupils')) return paths.dashboard();
  if (can(user, 'manage_subscription')) return paths.subscription();
  return can(user, 'view_privacy') ? paths.dataAndPrivacy() : paths.school();
}

/** Where staff start while the state of their school closes `teaching`. */
export const startWithoutTeaching = (access: Exclude<SchoolAccess, 'open' | 'closed'>): string =>
  ({
    none: paths.selectSubscription(),
    expired: paths.selectSubscription({ show_sp_link: 'false' }),
    support: paths.school(),
    locked: paths.paymentRequired({ show_sp_link: 'false' }),
  })[access];

/** The screen from which a user reaches everything that is available in their school's state. */
export function startOf(access: SchoolAccess, user: MemberWithCovers): string {
  if (access === 'open' || access === 'closed') return homeFor(user);
  return access === 'support' && isSupplyTeacher(user) ? paths.overview() : startWithoutTeaching(access);
}

/** Where a user without a school goes after login. */
export const withoutSchool = (userType: 'enterprise' | 'standard'): string =>
  userType === 'enterprise' ? paths.registerSchool() : paths.subscriptionStep('warning');

/** Nothing of the user's school is open. A password and the address come first: a provider's account is linked after them. */
const mustSignInElsewhere = (user: User): boolean =>
  user.require_provider && !user.require_password_reset && !user.require_email_confirmation;

/** Where the user signs in at a provider, with how the last attempt ended, or the screen to go to afterwards. */
function providerLoginFrom({ access }: ScreenAccess, location: UrlParts): string {
  const query = new URLSearchParams(location.search);
  const outcome = query.get('sign-in') ?? undefined;
  const isOwn = !OPEN_TO_GUESTS.includes(access) && outcome === undefined;
  const wanted = isOwn ? location.pathname + location.search : (query.get('redirect') ?? '/');
  return paths.schoolSignIn({ 'sign-in': outcome, redirect: wanted === '/' ? undefined : wanted });
}

/** The log out that has not arrived, which leads on to the login with the same reason. */
function logoutFrom(screen: ScreenAccess, location: UrlParts): string {
  const { search } = OPEN_TO_GUESTS.includes(screen.access)
    ? location
    : new URL(loginFor(location), 'http://portal.invalid');
  return paths.logout() + search;
}

function loginFor({ pathname, search }: UrlParts): string {
  const wanted = pathname + search;
  return paths.login(wanted === '/' ? {} : { redirect: wanted });
}

/** The path to go to after login: only a path of the portal, so that a link cannot lead to another site. */
export function safeRedirect(wanted: string | null): string {
  return readOwnPath(wanted ?? '') ?? paths.dashboard();
}
