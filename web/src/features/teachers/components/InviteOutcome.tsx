import type { Invited } from '#contract/calls/invites.ts';
import { count } from '../../../shared/format.ts';
import { useUser } from '../../../shared/session.ts';
import css from './InviteOutcome.module.css';
import { CopyLink } from './CopyLink.tsx';
import { Notice } from '../../../ui/Notice.tsx';

/** Who was invited, and who could not be, with the reason. */
export function InviteOutcome({ outcome: { sent, failed, links = [] } }: { outcome: Invited }) {
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
          {links.length === 0 ? (
            sent.map(({ email }) => email).join(', ')
          ) : (
            <>
              <p>If a mail does not arrive, hand over its link. It is shown this once and works for 14 days.</p>
              <ul className={css.links}>
                {links.map(({ email, link }) => (
                  <li key={email}>
                    <span>{email}</span> <CopyLink email={email} link={link} />
                  </li>
                ))}
              </ul>
            </>
          )}
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
