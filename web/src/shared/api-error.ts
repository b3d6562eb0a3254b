import type { ErrorReply } from '#contract/error-reply.ts';
import type { ErrorType } from '#contract/errors.ts';
import type { Quote } from '#contract/quote.ts';

/** What a failed call answered. `status` is 0 when nothing answered at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly error: string;
  readonly error_type: ErrorType | 'network';
  readonly code: string | undefined;
  readonly errors: Record<string, string[]>;
  /** What a package costs now, with `price_changed`. */
  readonly quote: Quote | undefined;
  /** Seconds to wait before another try, where the server says so. */
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
    this.retryAfter = retryAfter;
  }

  /** The same failure in other words. */
  reworded(words: Partial<Pick<ApiError, 'error' | 'errors'>>): ApiError {
    const { error, error_type, code, errors } = this;
    return new ApiError(this.status, { error, error_type, errors, ...(code && { code }), ...words }, this.retryAfter);
  }
}

/** There is no such thing, or it is another school's, which nobody is told. */
export const isNotFound = (error: unknown): boolean => error instanceof ApiError && error.status === 404;
