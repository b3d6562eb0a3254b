import type { ErrorReply } from '#contract/error-reply.ts';
import { errorList, type ErrorName } from '#contract/errors.ts';
import type { Quote } from '#contract/quote.ts';
import { fieldErrors } from '#contract/validation.ts';
import { z } from 'zod';
import { isDriverError } from '../database/driver-errors.ts';

interface Details {
  /** Field path to texts, for `validation`. */
  fields?: Record<string, string[]>;
  /** Replaces the listed text where it can say more. */
  text?: string;
  /** Replaces the listed code: `max-readers-reached:admin:3`. */
  code?: string;
  /** What a package costs now, for `price_changed`. */
  quote?: Quote;
  /** How many active pupils the school has, for `too_many_pupils`. */
  pupils?: number;
  /** Seconds after which a try makes sense again. */
  retryAfter?: number;
}

/** The one error that features throw: its name decides status, type and text. */
export class AppError extends Error {
  readonly kind: ErrorName;
  readonly details: Details;
  constructor(kind: ErrorName, details: Details = {}) {
    super(kind);
    this.kind = kind;
    this.details = details;
  }
}

/** A wrong field found by a rule that no schema can state. */
export const fieldError = (path: string, text: string): AppError =>
  new AppError('validation', { fields: { [path]: [text] } });

const FASTIFY_ERRORS: Record<string, ErrorName> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
};

/** SQLSTATE classes and codes, and system errors, of a database that is away, shutting down, late or without space. */
const isDatabaseAway = (code: string, message: string): boolean =>
  /^(08|53|57014|57P0[123]|25P0[34]|ENOSPC|EDQUOT|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH)/.test(
    code,
  ) ||
  /connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|client has encountered|query read timeout|no space left on device|pglite (instance )?is (already )?clos|driver has already been destroyed/i.test(
    message,
  );

/** What a broken constraint means to the person whose request broke it, where two requests at once can. */
const VIOLATIONS: Record<string, ErrorName> = {
  users_email_key_key: 'duplicate_email',
  classes_one_name: 'class_name_taken',
  invites_one_pending: 'invite_pending',
};
const UNIQUE_VIOLATION = '23505';
/** The row that this one points to went away meanwhile. */
const FOREIGN_KEY_VIOLATION = '23503';

/** The broken constraint's name. From a cluster only the message comes, in which the name has the number of a shard. */
function constraintOf(error: Error): string {
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint.replace(/_\d{6,}$/, '');
  return /constraint "(.+?)(?:_\d{6,})?"/.exec(error.message)?.[1] ?? '';
}

/** Serialisation failures and deadlocks: the same request may succeed when it is sent again. */
const isContention = (code: string): boolean => code === '40001' || code === '40P01';

/** Characters that PostgreSQL cannot hold: U+0000, half of a surrogate pair in JSON. */
const isUnstorable = (code: string, message: string): boolean =>
  code === '22021' || code === '22P05' || (code === '22P02' && message.includes('type json'));

/** What to answer to an error, whatever threw it. Unknown ones become `server_error` and are to be logged. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return new AppError('validation', { fields: fieldErrors(error) });
  if (error instanceof Error) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    const known = FASTIFY_ERRORS[code];
    if (known) return new AppError(known);
    // The JSON parser's own complaint has a status and no code.
    if (error instanceof SyntaxError && 'statusCode' in error) return new AppError('malformed_body');
    if (isDriverError(error) && isDatabaseAway(code, error.message))
      return new AppError('unavailable', { retryAfter: 5 });
    if (isUnstorable(code, error.message))
      return new AppError('validation', { text: 'A text has a character that cannot be stored. Leave it out.' });
    const violation = code === UNIQUE_VIOLATION ? VIOLATIONS[constraintOf(error)] : undefined;
    if (violation) return new AppError(violation);
    if (isContention(code) || code === FOREIGN_KEY_VIOLATION) return new AppError('conflict');
  }
  return new AppError('server_error');
}

/** Status and body of an error on the wire. */
export function errorAnswer(error: AppError): { status: number; body: ErrorReply } {
  const listed: { status: number; type: ErrorReply['error_type']; text: string; code?: string; field?: string } =
    errorList[error.kind];
  const { quote, pupils } = error.details;
  const text = error.details.text ?? listed.text;
  const code = error.details.code ?? listed.code;
  const fields = error.details.fields ?? (listed.field ? { [listed.field]: [text] } : undefined);
  return {
    status: listed.status,
    body: {
      error: text,
      error_type: listed.type,
      ...(code ? { code } : {}),
      ...(fields ? { errors: fields } : {}),
      ...(quote ? { quote } : {}),
      ...(pupils === undefined ? {} : { pupils }),
    },
  };
}
