import type { ErrorReply } from '#contract/error-reply.ts';
import type { ErrorType } from '#contract/errors.ts';
import type { PageReply } from '#contract/pages.ts';
import type { Quote } from '#contract/quote.ts';

/** The reply of a failed call. `status` is 0 when there was no reply. */
export class ApiError extends Error {
  readonly status: number;
  readonly error: string;
  readonly error_type: ErrorType | 'network';
  readonly code: string | undefined;
  readonly errors: Record<string, string[]>;
  /** With `price_changed`: what the package costs now. */
  readonly quote: Quote | undefined;
  /** With `too_many_pupils`: how many active pupils the school has. */
  readonly pupils: number | undefined;
  /** With `pupil_not_found`, from calls for several pupils: those who do not exist. */
  readonly missingPupils: readonly number[];
  /** With `second_factor_required`: the next step of the login. */
  readonly secondFactor: ErrorReply['second_factor'];
  /** Seconds to wait before trying again, if the server says so. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    reply: Partial<Omit<ErrorReply, 'error_type'>> & { error_type?: ErrorType | 'network' },
    retryAfter?: number,
  ) {
    super(reply.error || 'An error occurred');
    this.name = 'ApiError';
    this.status = status;
    this.error = reply.error ?? '';
    this.error_type = reply.error_type ?? 'server';
    this.code = reply.code;
    this.errors = reply.errors ?? {};
    this.quote = reply.quote;
    this.pupils = reply.pupils;
    this.missingPupils = reply.reader_ids ?? [];
    this.secondFactor = reply.second_factor;
    this.retryAfter = retryAfter;
  }

  /** The same error with other texts. */
  reworded(words: Partial<Pick<ApiError, 'error' | 'errors'>>): ApiError {
    const { error, error_type, code, errors } = this;
    return new ApiError(this.status, { error, error_type, errors, ...(code && { code }), ...words }, this.retryAfter);
  }
}

/** The seconds in the `Retry-After` header of a reply; undefined without one. */
export function readRetryAfter({ headers }: PageReply): number | undefined {
  const seconds = Number(headers.get('Retry-After'));
  return seconds > 0 ? seconds : undefined;
}

/** The resource does not exist or belongs to another school; the API does not reveal which. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;

/** The portal could not be reached or could not answer, so the same call may succeed later. */
export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status >= 500);
