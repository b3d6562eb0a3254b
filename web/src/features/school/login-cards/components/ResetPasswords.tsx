import { Button } from '../../../../ui/Button.tsx';
import { CARDS_AT_ONCE } from '#contract/limits.ts';
import { count } from '../../../../shared/format.ts';
import { useSchoolId } from '../../../../shared/session.ts';
import { Dialog } from '../../../../ui/Dialog.tsx';
import { DialogButtons } from '../../../../ui/DialogForm.tsx';
import { ErrorNotice } from '../../../../ui/ErrorNotice.tsx';
import { Notice } from '../../../../ui/Notice.tsx';
import { type ResetState, usePasswordReset } from '../login-cards.api.ts';
import { CardSheet } from './CardSheet.tsx';
import { LoginDownloads } from './LoginDownloads.tsx';
import css from './LoginDownloads.module.css';

interface Props {
  /** The pupils who get a new password. Empty while the dialog is closed. */
  pupils: readonly { id: number; name: string }[];
  isOpen: boolean;
  /** Called with whether passwords are being reset or have been. */
  onClose: (hasReset: boolean) => void;
}

/**
 * The one way to reset passwords: asks, because the current cards will no longer work, and then shows the new cards.
 * Closing it while a job makes many cards does not stop the job.
 */
export function ResetPasswords({ pupils, isOpen, onClose }: Props) {
  const reset = usePasswordReset(useSchoolId());
  const hasStarted = reset.id !== null && !reset.hasFailed;
  const [only, ...others] = (hasStarted && reset.pupils) || pupils;
  const isOne = others.length === 0;
  const whose = isOne && only ? only.name : count(others.length + 1, 'pupil');
  const close = () => {
    onClose(hasStarted);
    reset.clear();
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      canClose={!reset.isStarting}
      title={
        hasStarted
          ? `New login ${isOne ? 'card' : 'cards'} for ${whose}`
          : `Reset the ${isOne ? 'password' : 'passwords'} of ${whose}?`
      }
      size="lg"
    >
      {hasStarted ? (
        <Started reset={reset} isOne={isOne} onClose={close} />
      ) : (
        <Question pupils={pupils} reset={reset} isOne={isOne} onClose={close} />
      )}
    </Dialog>
  );
}

interface PartProps {
  reset: ResetState;
  isOne: boolean;
  onClose: () => void;
}

function Question({ pupils, reset, isOne, onClose }: PartProps & Pick<Props, 'pupils'>) {
  return (
    <>
      <p>
        {isOne
          ? 'The old password ends at once. The new login card will appear here to print or read out, and we’ll email you a link to it.'
          : 'The old passwords end at once. The new login cards will appear here to print, and we’ll email you a link to them.'}
      </p>
      {reset.error !== null && <ErrorNotice error={reset.error} lost="No password has been reset." />}
      {reset.hasFailed && (
        <Notice kind="error">We could not make the new passwords. The old ones still work. Please try again.</Notice>
      )}
      <DialogButtons>
        <Button variant="default" disabled={reset.isStarting} onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus loading={reset.isStarting} onClick={() => reset.start(pupils)}>
          {isOne ? 'Reset password' : 'Reset passwords'}
        </Button>
      </DialogButtons>
    </>
  );
}

function Started({ reset: { id, status, total, links }, isOne, onClose }: PartProps) {
  const isComplete = status === 'complete';
  const areCardsShown = total <= CARDS_AT_ONCE;
  return (
    <>
      {/* The pressed button is gone, so the message takes the focus until the cards are there. */}
      <div ref={takeFocus} tabIndex={-1}>
        <Notice kind="success">
          {isOne
            ? "The pupil's password is being reset and new login information will arrive by email shortly."
            : "The pupils' passwords are being reset and new login information will arrive by email shortly."}{' '}
          {!isComplete
            ? 'The new logins will appear here when they are ready. You can close this dialog meanwhile.'
            : isOne
              ? 'The new card already works.'
              : 'The new logins already work.'}
        </Notice>
      </div>
      {isComplete && id !== null && areCardsShown && <CardSheet source={{ resetId: id }} takesFocus />}
      {links &&
        (areCardsShown ? (
          <details className={css.others}>
            <summary>Other sizes and a spreadsheet</summary>
            <LoginDownloads links={links} isAside />
          </details>
        ) : (
          <LoginDownloads links={links} />
        ))}
      <DialogButtons>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </>
  );
}

const takeFocus = (element: HTMLElement | null): void => element?.focus({ preventScroll: true });
