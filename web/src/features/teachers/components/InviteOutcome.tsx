import type { Invited } from '#contract/calls/invites.ts';
import { count } from '../../../shared/format.ts';
import { useUser } from '../../../shared/session.ts';
import { Notice } from '../../../ui/Notice.tsx';

/** Who was invited, and who could not be, with the reason. */
export function InviteOutcome({ outcome: { sent, failed } }: { outcome: Invited }) {
  const isHeld = Boolean(useUser().email_confirmation_due_at);
  return (
    <>
      {sent.length > 0 && (
        <Notice
          kind="success"
          title={
            isHeld
              ? 'The invitations will be sent once you have confirmed your address'
              : 'An invitation has been sent to the teachers'
          }
        >
          {sent.map(({ email }) => email).join(', ')}
        </Notice>
      )}
      {failed.length > 0 && (
        <Notice kind="warning" title={`${count(failed.length, 'invitation')} could not be sent`}>
          <ul>
            {failed.map(({ email, error }, index) => (
              <li key={`${email}-${index}`}>
                <strong>{email || 'Without an email'}</strong>: {error}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  );
}
