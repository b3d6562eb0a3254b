import type { User } from '#contract/calls/access.ts';
import { paths } from '../../../../paths.ts';
import { safeRedirect, withoutSchool } from '../../../../shared/guard.ts';
import { readInvite } from './stored-invite.ts';

/** Where a user goes after login. */
export function afterLogin(user: User, redirect: string | null): string {
  const invite = readInvite();
  if (invite) return paths.invite(invite.id);
  return user.user_type === 'enterprise' && user.enterprise ? safeRedirect(redirect) : withoutSchool(user.user_type);
}
