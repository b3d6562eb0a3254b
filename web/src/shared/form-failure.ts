import type { ReactNode } from 'react';
import { ApiError } from './api-error.ts';
import { explainError } from './error-text.ts';

/** An error in a form. */
export interface FieldError {
  /** `id` of the field. Without it the text is about the whole form. */
  field?: string;
  text: ReactNode;
}

/**
 * What a failed call says about a form: at each field, and about the whole form.
 * @param hasField whether the form has the field that the error names
 * @param explain explains the error where the general texts are not enough
 */
export function explainFailure(
  error: unknown,
  hasField: (path: string) => boolean,
  explain?: (error: unknown) => string[] | undefined,
): { atFields: Record<string, string>; general: FieldError[] } {
  const known = error instanceof ApiError ? Object.entries(error.errors) : [];
  const own = known.filter(([path]) => hasField(path));
  const others = known.filter(([path]) => !hasField(path));
  const atFields = Object.fromEntries(own.map(([path, texts]) => [path, texts.join(' ')]));
  const { texts, advice } = explainError(
    error instanceof ApiError ? error.reworded({ errors: Object.fromEntries(others) }) : error,
  );
  const all = advice ? [...texts, `${advice} What you typed is still here.`] : texts;
  const sentences = explain?.(error) ?? (own.length > 0 && others.length === 0 ? [] : all);
  const said = new Set(Object.values(atFields));
  return { atFields, general: sentences.filter((text) => !said.has(text)).map((text) => ({ text })) };
}
