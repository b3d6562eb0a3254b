import { useState } from 'react';
import type { ReplyOf } from '#contract/call.ts';
import type { inviteCalls, Invited } from '#contract/calls/invites.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Confirm } from '../../../../ui/Confirm.tsx';
import css from '../AddTeacherPage.module.css';
import { CopyLink } from './CopyLink.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { useRemoveInvites } from '../teachers.api.ts';

type Removed = ReplyOf<typeof inviteCalls.removeInvites>;

interface Props {
  outcome: Invited;
  onRemoved: (removed: Removed) => void;
}

/** Who was invited, with a way to take all of it back, and who could not be invited and why. */
export function InviteOutcome({ outcome: { sent, failed, links = [] }, onRemoved }: Props) {
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
          action={<RemoveAll sent={sent} onRemoved={onRemoved} />}
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
          {sent
            .filter(({ works_elsewhere }) => works_elsewhere)
            .map(({ email }) => (
              <p key={email}>
                {email} already works at another school with this account. They accept while logged in, and we check
                that it is them.
              </p>
            ))}
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

/** Deletes the invitations that were just sent, such as those of a wrong list. */
function RemoveAll({ sent, onRemoved }: { sent: Invited['sent']; onRemoved: Props['onRemoved'] }) {
  const remove = useRemoveInvites(useSchoolId());
  const [isAsking, setAsking] = useState(false);
  const these = sent.length === 1 ? 'this invitation' : `these ${sent.length} invitations`;
  return (
    <>
      <Button size="sm" variant="default" onClick={() => setAsking(true)}>
        Delete {these}
      </Button>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={`Delete ${these}?`}
        action={`Delete ${these}`}
        isDangerous
        lost="No invitation has been deleted."
        onConfirm={async () => onRemoved(await remove.mutateAsync(sent.map(({ id }) => id)))}
      >
        <p>
          The links in the emails will stop working. The addresses come back to the form, where you can correct them.
          Anyone who has already accepted stays.
        </p>
      </Confirm>
    </>
  );
}

const STATES: Record<Removed['kept'][number]['status'], string> = {
  accepted: 'has accepted already',
  declined: 'has declined',
  expired: 'has expired',
  pending: 'is still pending',
};

/** What became of invitations that the user has deleted. */
export const RemovedInvites = ({ sent, removed: { removed, kept } }: { sent: Invited['sent']; removed: Removed }) => (
  <Notice
    isOutcome
    kind={kept.length > 0 ? 'warning' : 'success'}
    title={`${count(removed.length, 'invitation has', 'invitations have')} been deleted`}
  >
    {kept.length > 0 && (
      <ul>
        {kept.map(({ id, status }) => (
          <li key={id}>
            {sent.find((invite) => invite.id === id)?.email} {STATES[status]}
          </li>
        ))}
      </ul>
    )}
  </Notice>
);
