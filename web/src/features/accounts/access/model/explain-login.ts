import { ApiError } from '../../../../shared/api-error.ts';

/** The server's message about a failed login, and what to do about it. */
export function explainLogin(error: unknown): string[] {
  if (!(error instanceof ApiError) || !error.error) return ['Oops something went wrong, please try again.'];
  return error.status === 401 ? [error.error, 'Check your email address and password, and try again.'] : [error.error];
}
