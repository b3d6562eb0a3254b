import { Button } from '@mantine/core';
import { paths } from '../../../paths.ts';
import { count } from '../../../shared/format.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { ResetState } from '../login-cards.api.ts';
import { LoginDownloads } from './LoginDownloads.tsx';

/** How far a reset of passwords is, on the page where it was asked for. */
export function ResetNotice({ reset }: { reset: ResetState }) {
  const { id, status, total, links, hasFailed, clear } = reset;
  if (hasFailed)
    return (
      <Notice kind="error">The new passwords could not be made. The old ones still work. Please try again.</Notice>
    );
  if (status === 'none') return null;
  if (status === 'loading')
    return (
      <Notice>
        {total > 1 ? `New login cards for ${count(total, 'pupil')} are being made.` : 'A new login card is being made.'}{' '}
        {total > 1 ? 'They appear here as soon as they are ready' : 'It appears here as soon as it is ready'}, and the
        link to {total > 1 ? 'them' : 'it'} comes by email.
      </Notice>
    );
  return (
    <Notice
      kind="success"
      title={
        total > 1
          ? `The passwords of ${count(total, 'pupil')} have been reset.`
          : "The pupil's password has been reset."
      }
      action={
        <>
          {id && (
            <ButtonLink to={paths.logins(id)} size="sm">
              {total > 1 ? 'Show the cards' : 'Show the card'}
            </ButtonLink>
          )}
          <Button size="sm" variant="default" onClick={clear}>
            Close
          </Button>
        </>
      }
    >
      <p>A link to the new login information is in your email. You can also show or download it here.</p>
      {links && <LoginDownloads links={links} isAside />}
    </Notice>
  );
}
