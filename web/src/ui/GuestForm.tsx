import type { ReactNode } from 'react';
import { ApiError } from '../shared/api-error.ts';
import { explainFailure, type FieldError } from '../shared/form-failure.ts';
import { ErrorSummary } from './ErrorSummary.tsx';
import css from './Form.module.css';

/** A form of a guest page: empty, or as it was sent, with what is wrong with it. */
export interface GuestFormState {
  summary: readonly FieldError[];
  /** Goes on an input, whose value is kept. */
  field: (name: string) => { id: string; name: string; defaultValue: string; error: string | undefined };
  /** The same for a password or a code, which no page repeats. */
  secret: (name: string) => { id: string; name: string; error: string | undefined };
}

/** @param explain explains the error where the general texts are not enough */
export function guestForm(
  sent = new URLSearchParams(),
  error?: unknown,
  explain?: (error: unknown) => string[] | undefined,
): GuestFormState {
  const { atFields, general } =
    error === undefined ? { atFields: {}, general: [] } : explainFailure(error, (name) => sent.has(name), explain);
  const secret = (name: string) => ({ id: name, name, error: (atFields as Record<string, string | undefined>)[name] });
  return {
    summary: [...general, ...Object.entries(atFields).map(([field, text]) => ({ field, text }))],
    secret,
    field: (name) => ({ ...secret(name), defaultValue: sent.get(name) ?? '' }),
  };
}

/** The status of a page that shows the form again: that of the call. Throws what is no reply of the API. */
export function failureOf(error: unknown): { status: number; retryAfter: number | undefined } {
  if (!(error instanceof ApiError)) throw error;
  return { status: error.status, retryAfter: error.retryAfter };
}

const UNREACHABLE = guestForm(
  new URLSearchParams(),
  new ApiError(0, { error: 'Error: Network Error', error_type: 'network' }),
);

interface Props {
  form: GuestFormState;
  /** The page's own address when absent. */
  action?: string;
  id?: string;
  /** The call whose answer the script of guest pages asks the device with, before it sends the form. */
  passkeyOptions?: string;
  /** Leaving the page would lose what was typed: the browser asks first. */
  isUnsaved?: boolean;
  children: ReactNode;
}

/** A form that the browser sends to the server; the script of guest pages sends it without leaving the page. */
export const GuestForm = ({ form, action, id, passkeyOptions, isUnsaved, children }: Props) => (
  <form
    method="post"
    action={action}
    id={id}
    noValidate
    className={`stack-l ${css.form}`}
    data-unsaved={isUnsaved}
    data-passkey-options={passkeyOptions}
  >
    <ErrorSummary errors={form.summary} />
    <template>
      <ErrorSummary errors={UNREACHABLE.summary} />
    </template>
    {children}
  </form>
);
