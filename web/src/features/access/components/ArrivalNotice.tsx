import { Notice } from '../../../ui/Notice.tsx';
import { readInvite } from '../model/stored-invite.ts';

const REASONS: Record<string, string> = {
  decline: 'You have declined the invitation',
  'invite-accepted': 'This invitation was accepted already. Log in to open the school.',
  'invite-declined': 'This invitation was declined. If that was a mistake, ask the school for a new one.',
  'invite-expired': 'This invitation has expired. Ask the school to send it again.',
  'invite-unknown': 'This invitation does not exist any more. Ask the school for a new one.',
};

/** Says at the login what brought the person there. */
export function ArrivalNotice({ action }: { action: string | null }) {
  const reason = action === null ? undefined : REASONS[action];
  const invite = readInvite();
  if (reason)
    return <Notice kind={action === 'decline' || action === 'invite-accepted' ? 'info' : 'warning'}>{reason}</Notice>;
  return invite && <Notice>Log in as {invite.email} to accept your invitation.</Notice>;
}
