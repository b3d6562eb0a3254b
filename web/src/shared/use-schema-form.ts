import { schemaResolver, useForm } from '@mantine/form';
import { useRef, useState, type FormEvent } from 'react';
import type { z } from 'zod';
import { type DraftOffer, removeDraft, useDraftOffer } from './drafts.ts';
import { countActions, hasPendingAction } from './ended-session.ts';
import { explainFailure, type FieldError } from './form-failure.ts';
import { useOpenWork } from './unsaved-work.ts';

/** The state that `Form` and `DialogForm` need. */
export interface FormState {
  /** The errors, for the top of the form. */
  summary: readonly FieldError[];
  /** Counts failed submissions: each moves the focus to the summary. */
  attempt: number;
  /** For a LeaveGuard. Null where the form can be left without a question. */
  leaveGuard: { isDirty: boolean; isReleased: () => boolean; isDrafted: true; children: string } | null;
  /** What the user had typed when their session ended. */
  draft: DraftOffer | null;
}

interface Options<S extends z.ZodObject, V> {
  /** The schema of the call's body, which the server checks too. */
  schema: S;
  initialValues: V;
  /** Explains a failed call where the general texts are not enough. */
  explain?: (error: unknown) => string[] | undefined;
  /**
   * What leaving the page would lose: `What you changed has not been saved yet.` Without it the form can be left
   * without a question.
   */
  unsavedText?: string;
  /** Before the `id` of each field, in a dialog above a page that may have fields of the same name. */
  idPrefix?: string;
}

/**
 * A form over a schema of the contract, validated on submission and then as the user types. `field(path)` goes on an
 * input, the whole result on `Form`. Errors that the server finds are shown at their fields.
 */
export function useSchemaForm<S extends z.ZodObject, V extends { [K in keyof z.input<S>]: unknown }>({
  schema,
  initialValues,
  explain,
  unsavedText,
  idPrefix = '',
}: Options<S, V>) {
  const [attempt, setAttempt] = useState(0);
  const [isSubmitting, setSubmitting] = useState(false);
  const [failures, setFailures] = useState<FieldError[]>([]);
  const form = useForm<V>({
    initialValues,
    validateInputOnChange: attempt > 0,
    validate: schemaResolver(schema, { sync: true }) as never,
  });

  // While it submits: the number of the newest call before it. Read when the page is left, which the submission may do
  // before the next render.
  const actionsBefore = useRef<number | null>(null);

  const draftName = unsavedText === undefined ? undefined : Object.keys(initialValues).join(' ');
  const isDirty = form.isDirty();
  useOpenWork(isDirty, draftName === undefined ? undefined : { name: draftName, read: () => form.values });
  const draft = useDraftOffer(draftName, (values) => form.setValues(values as V));

  const fieldErrors = Object.entries(form.errors).flatMap(([field, text]) =>
    typeof text === 'string' && text ? [{ field: idPrefix + field, text }] : [],
  );

  const fail = (error: unknown) => {
    const { atFields, general } = explainFailure(error, (path) => pathExists(form.values, path), explain);
    form.setErrors(atFields);
    setFailures(general);
    setAttempt((tries) => tries + 1);
  };

  const onSubmit = (work: (body: z.output<S>) => Promise<unknown>) => (event: FormEvent) => {
    event.preventDefault();
    if (actionsBefore.current !== null) return;
    setFailures([]);
    if (form.validate().hasErrors) return setAttempt((tries) => tries + 1);
    setSubmitting(true);
    actionsBefore.current = countActions();
    // Text and a press that are replayed after hydration arrive within one render.
    void work(schema.parse(form.getValues()))
      .then(() => draftName !== undefined && removeDraft(draftName), fail)
      .finally(() => {
        setSubmitting(false);
        actionsBefore.current = null;
      });
  };

  return {
    form,
    attempt,
    isSubmitting,
    onSubmit,
    summary: [...failures, ...fieldErrors] as readonly FieldError[],
    leaveGuard:
      unsavedText === undefined
        ? null
        : {
            isDirty,
            // Only once the call has succeeded may the submission itself leave the page.
            isReleased: () => actionsBefore.current !== null && !hasPendingAction(actionsBefore.current),
            isDrafted: true as const,
            children: unsavedText,
          },
    draft,
    field: (path: string, options?: { type: 'checkbox' }) => ({
      ...form.getInputProps(path, options),
      id: idPrefix + path,
      name: path,
    }),
  };
}

const pathExists = (values: object, path: string): boolean =>
  path
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        inner !== null && typeof inner === 'object' && key in inner
          ? ((inner as Record<string, unknown>)[key] ?? '')
          : undefined,
      values,
    ) !== undefined;
