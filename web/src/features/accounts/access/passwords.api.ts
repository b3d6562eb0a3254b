import { passwordCalls } from '#contract/calls/passwords.ts';
import { call } from '../../../shared/api-client.ts';
import { ApiError } from '../../../shared/api-error.ts';
import { endSession, startSession } from '../../../shared/session.ts';
import { operatorCalls } from '#contract/calls/operators.ts';

/** Shown when the email has no account. */
const UNKNOWN_EMAIL = 'Sorry, that email is not registered with us.';

/** Requests an email with a link to a new password. */
export async function askForReset(email: string): Promise<void> {
  try {
    await call(passwordCalls.requestPasswordReset, { body: { email, isSchool: true } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.error !== 'User not found') throw error;
    throw error.reworded({ error: UNKNOWN_EMAIL, errors: { email: [UNKNOWN_EMAIL] } });
  }
}

/** Whether a link to a new password is still valid. The check does not use it up. */
export async function isResetLinkValid(token: string): Promise<boolean> {
  if (!token) return false;
  try {
    await call(passwordCalls.verifyPasswordReset, { body: { token } });
    return true;
  } catch (error) {
    if (isEndedLink(error)) return false;
    throw error;
  }
}

/** True if the link has ended or never existed. */
export const isEndedLink = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'token_expired' || error.errors.token !== undefined);

/** Sets a new password with the link from an email. */
export const setPassword = (token: string, password: string) =>
  call(passwordCalls.resetPassword, { body: { token, password } });

/** Exchanges a set-up link for a session. */
export async function openSetUpLink(token: string): Promise<void> {
  const { user } = await call(passwordCalls.exchangeSetUpLink, { body: { token } });
  startSession(user);
}

/** A code works once. A repeated exchange returns the first reply. */
const exchanges = new Map<string, Promise<void>>();

/** Exchanges an operator's code for a session as another user. It replaces the current session. */
export function openAsAnother(code: string): Promise<void> {
  const exchange = async () => {
    endSession();
    const { user } = await call(operatorCalls.impersonate, { body: { code } });
    startSession(user);
  };
  const begun = exchanges.get(code) ?? exchange();
  exchanges.set(code, begun);
  return begun;
}
