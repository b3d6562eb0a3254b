import { Button } from './Button.tsx';
import { useId, useLayoutEffect, useRef } from 'react';
import { DialogButtons } from './DialogForm.tsx';
import css from './LeaveQuestion.module.css';
import { useTopDialog } from './top-dialog.ts';

interface Props {
  onStay: () => void;
  onLeave: () => void;
  /** What would be lost. */
  children: string;
}

/** Asks before a page with unsaved work is left. The browser's own dialog, because a script that fails to load would lose the work. */
export function LeaveQuestion({ onStay, onLeave, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useTopDialog(true);
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    // Closing returns the focus to where it was.
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={css.question}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onStay();
      }}
    >
      <h2 id={id} className={css.title}>
        Leave this page?
      </h2>
      <p>{children}</p>
      <DialogButtons>
        <Button onClick={onStay}>Stay</Button>
        <Button variant="default" onClick={onLeave}>
          Leave
        </Button>
      </DialogButtons>
    </dialog>
  );
}
