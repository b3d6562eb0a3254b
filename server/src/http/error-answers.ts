import { type ErrorReply, toErrorReply } from '#contract/error-reply.ts';
import { errorList, type ErrorName } from '#contract/errors.ts';
import { fieldErrors } from '#contract/validation.ts';
import { z } from 'zod';
import { isDriverError } from '../database/driver-errors.ts';
import { AppError } from '../errors.ts';

const FASTIFY_ERRORS: Record<string, ErrorName> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_type',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed_body',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed_body',
  FST_ERR_BAD_URL: 'not_found',
};

/**
 * SQLSTATE classes and codes, and system errors, of a database that is unavailable, shutting down, too slow or out of
 * space. `CIINF` is a cluster's worker that was lost during a statement.
 */
const isDatabaseUnavailable = (code: string, message: string): boolean =>
  /^(08|53|57014|57P0[123]|25P0[34]|ENOSPC|EDQUOT|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOTFOUND|ETIMEDOUT|EHOSTUNREACH|CIINF)/.test(
    code,
  ) ||
  // `alter database … allow_connections false`, for work on it.
  (code === '55000' && /not currently accepting connections/i.test(message)) ||
  // A cluster's coordinator reports a lost worker as an internal error.
  (code === 'XX000' && /remote node|remote connection/i.test(message)) ||
  /connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|client has encountered|query read timeout|no space left on device|pglite (instance )?is (already )?clos|driver has already been destroyed/i.test(
    message,
  );

/** The error for a violated constraint where two simultaneous requests can cause it. */
const VIOLATIONS: Record<string, ErrorName> = {
  users_email_key_key: 'duplicate_email',
  classes_one_name: 'class_name_taken',
  invites_one_pending: 'invite_pending',
};
const UNIQUE_VIOLATION = '23505';
/** The referenced row was deleted meanwhile. */
const FOREIGN_KEY_VIOLATION = '23503';

/** The name of the violated constraint. A cluster only reports it in the message, with a shard number. */
function constraintOf(error: Error): string {
  if ('constraint' in error && typeof error.constraint === 'string') return error.constraint.replace(/_\d{6,}$/, '');
  return /constraint "(.+?)(?:_\d{6,})?"/.exec(error.message)?.[1] ?? '';
}

/** Serialisation failures and deadlocks: the same request may succeed when it is sent again. */
const isContention = (code: string): boolean => code === '40001' || code === '40P01';

/** Characters that PostgreSQL cannot store: U+0000, and half of a surrogate pair in JSON. */
const isUnstorable = (code: string, message: string): boolean =>
  code === '22021' || code === '22P05' || (code === '22P02' && message.includes('type json'));

/** The error to answer, whatever was thrown. Unknown errors become `server_error` and should be logged. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof z.ZodError) return new AppError('validation', { fields: fieldErrors(error) });
  if (error instanceof Error) {
    const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
    const known = FASTIFY_ERRORS[code];
    if (known) return new AppError(known);
    // The JSON parser's error has a status and no code.
    if (error instanceof SyntaxError && 'statusCode' in error) return new AppError('malformed_body');
    if (isDriverError(error) && isDatabaseUnavailable(code, error.message))
      return new AppError('unavailable', { retryAfter: 5 });
    if (isUnstorable(code, error.message))
      return new AppError('validation', { text: 'A text contains a character that cannot be stored. Remove it.' });
    const violation = code === UNIQUE_VIOLATION ? VIOLATIONS[constraintOf(error)] : undefined;
    if (violation) return new AppError(violation);
    if (isContention(code) || code === FOREIGN_KEY_VIOLATION) return new AppError('conflict');
  }
  return new AppError('server_error');
}

/** Whether the same request may succeed later: the database is away, or there is too much to do. */
export const isUnavailable = (error: unknown): boolean => errorList[toAppError(error).kind].status === 503;

/** Status and body of an error as the API returns it. */
export const errorAnswer = ({ kind, details }: AppError): { status: number; body: ErrorReply } => ({
  status: errorList[kind].status,
  body: toErrorReply(kind, details),
});
