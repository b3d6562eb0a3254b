import { Button } from '@mantine/core';
import { paths } from '../../../paths.ts';
import { count } from '../../../shared/format.ts';
import { ButtonLink } from '../../../ui/ButtonLink.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import type { ResetState } from '../login-cards.api.ts';
import { CardSheet } from './CardSheet.tsx';
import { LoginDownloads } from './LoginDownloads.tsx';

/** The progress of a password reset, on the page that started it. */
export function ResetNotice({ reset }: { reset: ResetState }) {
  const { id, status, total, links, hasFailed, clear } = reset;
  if (hasFailed)
    return (
      <Notice kind="error">We could not make the new passwords. The old ones still work. Please try again.</Notice>
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
          {id && total > 1 && (
            <ButtonLink to={paths.logins(id)} size="sm">
              Show the cards
            </ButtonLink>
          )}
          <Button size="sm" variant="default" onClick={clear}>
            Close
          </Button>
        </>
      }
    >
      <p>A link to the new login information is in your email. You can also show or download it here.</p>
      {id && total === 1 && <CardSheet source={{ resetId: id }} takesFocus />}
      {links && <LoginDownloads links={links} isAside />}
    </Notice>
  );
}
