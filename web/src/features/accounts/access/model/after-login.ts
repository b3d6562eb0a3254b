import type { User } from '#contract/calls/access.ts';
import { paths } from '../../../../paths.ts';
import { safeRedirect, withoutSchool } from '../../../../shared/guard.ts';
import type { GuestReply, GuestVisit } from '../../../../shell/guest-screen.ts';

/** Where a user goes after login: to the invitation that they accept by it, or where the login page was asked to lead. */
export function afterLogin(user: User, { query, kept }: Pick<GuestVisit, 'query' | 'kept'>): string {
  if (kept.invite !== undefined) return paths.invite(kept.invite);
  const redirect = query.get('redirect');
  return user.user_type === 'enterprise' && user.enterprise ? safeRedirect(redirect) : withoutSchool(user.user_type);
}

/** The reply to a login that is complete. */
export const enter = (user: User, visit: GuestVisit): GuestReply => ({
  kind: 'redirect',
  to: afterLogin(user, visit),
  keep: { step: null },
});
