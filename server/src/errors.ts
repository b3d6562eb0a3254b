import type { ErrorDetails } from '#contract/error-reply.ts';
import type { ErrorName } from '#contract/errors.ts';

interface Details extends ErrorDetails {
  /** Seconds after which the client should try again. */
  retryAfter?: number;
}

/** The one error class of the features: its name determines status, type and text. */
export class AppError extends Error {
  readonly kind: ErrorName;
  readonly details: Details;
  constructor(kind: ErrorName, details: Details = {}) {
    super(kind);
    this.kind = kind;
    this.details = details;
  }
}

/** An invalid field found by a rule that a schema cannot express. */
export const fieldError = (path: string, text: string): AppError =>
  new AppError('validation', { fields: { [path]: [text] } });
