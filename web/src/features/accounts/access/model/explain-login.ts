import { ApiError } from '../../../../shared/api-error.ts';

/** What a failed login says, and what to do about it; undefined where the general texts do. */
export function explainLogin(error: unknown): string[] | undefined {
  if (!(error instanceof ApiError) || !error.error) return ['Oops something went wrong, please try again.'];
  return error.status === 401 ? [error.error, 'Check your email address and password, and try again.'] : undefined;
}
