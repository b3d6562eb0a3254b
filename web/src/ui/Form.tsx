import type { FormEventHandler, ReactNode } from 'react';
import type { FormState } from '../shared/use-schema-form.ts';
import { DraftNotice } from './DraftNotice.tsx';
import { ErrorSummary } from './ErrorSummary.tsx';
import css from './Form.module.css';
import { LeaveGuard } from './LeaveGuard.tsx';

interface Props {
  /** What `useSchemaForm` returns. */
  form: FormState;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}

/** A form in one column, with its error summary. Asks before unsaved work is left. */
export function Form({ form, onSubmit, children }: Props) {
  return (
    // A post: nothing of it gets into an address, even where no script takes it.
    <form method="post" onSubmit={onSubmit} noValidate className={`stack-l ${css.form}`}>
      <DraftNotice offer={form.draft} />
      <ErrorSummary errors={form.summary} attempt={form.attempt} />
      {children}
      {form.leaveGuard && <LeaveGuard {...form.leaveGuard} />}
    </form>
  );
}

/** Fields that belong together, under a heading of their own. */
export function FormSection({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <fieldset className={`stack-l ${css.section}`}>
      <legend>{title}</legend>
      {note && <p className={`soft ${css.note}`}>{note}</p>}
      {children}
    </fieldset>
  );
}

/** Two short fields, side by side where there is room. */
export const FieldPair = ({ children }: { children: ReactNode }) => (
  <div className={`fitted ${css.pair}`}>{children}</div>
);

/** Buttons in a row that wraps. */
export const FormActions = ({ children }: { children: ReactNode }) => <div className="cluster-m">{children}</div>;

/** A way elsewhere, under the form. It may be a form of its own, which a paragraph cannot contain. */
export const FormFoot = ({ children }: { children: ReactNode }) => <div className={css.foot}>{children}</div>;
