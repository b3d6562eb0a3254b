import { Button } from './Button.tsx';
import type { ReactNode } from 'react';
import { useHoldOpen } from './Dialog.tsx';
import css from './DialogForm.module.css';
import { DisabledReasonButton } from './DisabledReasonButton.tsx';
import { ErrorSummary } from './ErrorSummary.tsx';
import type { FormState } from '../shared/use-schema-form.ts';

interface Props {
  /** What `useSchemaForm` returns. */
  form: FormState & { isSubmitting: boolean };
  onSubmit: React.FormEventHandler<HTMLFormElement>;
  onCancel: () => void;
  /** The verb on the button that submits. */
  action: string;
  /** Why it cannot be submitted yet. */
  disabledReason?: string | undefined;
  /** The action cannot be undone. */
  isDangerous?: boolean;
  children: ReactNode;
}

/**
 * The form of a dialog, with errors at the top and Cancel and the action at the bottom. The dialog stays open while it is
 * submitted.
 */
export function DialogForm({ form, onSubmit, onCancel, action, disabledReason, isDangerous = false, children }: Props) {
  useHoldOpen(form.isSubmitting);
  return (
    <form method="post" onSubmit={onSubmit} noValidate className={`stack-l ${css.form}`}>
      <ErrorSummary errors={form.summary} attempt={form.attempt} />
      {children}
      <DialogButtons>
        <Button variant="default" disabled={form.isSubmitting} onClick={onCancel}>
          Cancel
        </Button>
        <DisabledReasonButton
          type="submit"
          loading={form.isSubmitting}
          disabledReason={disabledReason}
          side="above"
          {...(isDangerous && { color: 'brick' })}
        >
          {action}
        </DisabledReasonButton>
      </DialogButtons>
    </form>
  );
}

/** The buttons of a dialog, on the right; stacked on a phone. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={`cluster-m ${css.buttons}`}>{children}</div>
);
