import { inviteCalls } from '#contract/calls/invites.ts';
import { call } from '../../../../shared/api-client.ts';
import type { GuestVisit } from '../../../../shell/guest-screen.ts';

/** The address of the invitation that the visitor wants to accept; undefined if it cannot be accepted any more. */
export async function readInvitedEmail({ kept: { invite: inviteId } }: GuestVisit): Promise<string | undefined> {
  if (inviteId === undefined) return undefined;
  try {
    const { invite } = await call(inviteCalls.getInvite, { params: { inviteId } });
    return invite.status === 'pending' ? invite.email : undefined;
  } catch {
    // The page works without it, and the invitation itself says what is wrong.
    return undefined;
  }
}
