import type { Invited } from '#contract/calls/invites.ts';
import { count } from '../../../../shared/format.ts';
import css from '../AddTeacherPage.module.css';
import { CopyLink } from './CopyLink.tsx';
import { Notice } from '../../../../ui/Notice.tsx';

/** Who was invited, and who could not be and why. */
export function InviteOutcome({ outcome: { sent, failed, links = [] } }: { outcome: Invited }) {
  return (
    <>
      {sent.length > 0 && (
        <Notice
          isOutcome
          kind="success"
          title={
            sent.some(({ is_held }) => is_held)
              ? 'The invitations will be sent once you have confirmed your address'
              : 'An invitation has been sent to the teachers'
          }
        >
          {links.length === 0 ? (
            sent.map(({ email }) => email).join(', ')
          ) : (
            <>
              <p>If an email does not arrive, share its link. We only show it here once, and it works for 14 days.</p>
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
        <Notice isOutcome kind="warning" title={`${count(failed.length, 'invitation')} could not be sent`}>
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
