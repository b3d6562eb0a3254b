import { Button } from './Button.tsx';
import { useState, type ReactNode } from 'react';
import { DialogButtons } from './DialogForm.tsx';
import { Dialog } from './Dialog.tsx';
import { ErrorNotice } from './ErrorNotice.tsx';

interface Props {
  isOpen: boolean;
  onClose: () => void;
  /** A question that names the thing: `Delete Year 3 Badgers?` */
  title: string;
  /** What will happen, with the count: `Its 28 pupils stay in the school, without a class.` */
  children: ReactNode;
  /** The verb of the question: `Delete class`. */
  action: string;
  /** Closes the dialog when it is done. A failure stays in it. */
  onConfirm: () => Promise<unknown> | void;
  /** What a failure means: `The class has not been deleted.` */
  lost?: string;
  isDangerous?: boolean;
  /** Makes Cancel the main button, because most users want it. */
  prefersCancel?: boolean;
  cancel?: string;
}

/** Asks before an action that cannot simply be undone. Stays open while the action runs, so that a failure is visible. */
export function Confirm({
  isOpen,
  onClose,
  title,
  children,
  action,
  onConfirm,
  lost,
  isDangerous = false,
  prefersCancel = false,
  cancel = 'Cancel',
}: Props) {
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ title: string; error: unknown } | null>(null);
  const close = () => {
    setFailure(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFailure({ title, error });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Dialog isOpen={isOpen} onClose={close} title={title} canClose={!isBusy}>
      <div>{children}</div>
      {/* The next question of the same dialog is about something else. */}
      {failure?.title === title && <ErrorNotice error={failure.error} {...(lost && { lost })} />}
      <DialogButtons>
        <Button variant={prefersCancel ? 'filled' : 'default'} data-autofocus disabled={isBusy} onClick={close}>
          {cancel}
        </Button>
        <Button
          variant={prefersCancel ? 'default' : 'filled'}
          {...(isDangerous && { color: 'brick' })}
          loading={isBusy}
          onClick={() => void confirm()}
        >
          {action}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}
