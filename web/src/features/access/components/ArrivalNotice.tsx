import { Notice } from '../../../ui/Notice.tsx';
import { readInvite } from '../model/stored-invite.ts';

const REASONS: Record<string, string> = {
  decline: 'You have declined the invitation',
  'invite-accepted': 'This invitation has already been accepted. Log in to open the school.',
  'invite-declined': 'This invitation was declined. If that was a mistake, ask the school for a new one.',
  'invite-expired': 'This invitation has expired. Ask the school to send it again.',
  'invite-unknown': 'This invitation no longer exists. Ask the school for a new one.',
};

/** Explains on the login page why the user is there. */
export function ArrivalNotice({ action }: { action: string | null }) {
  const reason = action === null ? undefined : REASONS[action];
  const invite = readInvite();
  if (reason)
    return <Notice kind={action === 'decline' || action === 'invite-accepted' ? 'info' : 'warning'}>{reason}</Notice>;
  return invite && <Notice>Log in as {invite.email} to accept your invitation.</Notice>;
}
