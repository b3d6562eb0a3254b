import { useQueryClient } from '@tanstack/react-query';
import { accessCalls, type User } from '#contract/calls/access.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import { endSession, getSession, renewUser, startSession } from '../../shared/session.ts';

export const meQuery = () => apiQuery(accessCalls.getMe, {});

/** Signs in, stores the session and returns the user. */
export async function signIn(body: BodyInputOf<typeof accessCalls.logIn>): Promise<User> {
  const { user } = await call(accessCalls.logIn, { body });
  startSession(user);
  return user;
}

/** Signs in to the operators' console. Returns null, without a session, for anyone but an operator. */
export async function signInAsOperator(body: BodyInputOf<typeof accessCalls.logIn>): Promise<User | null> {
  const { user } = await call(accessCalls.logIn, { body });
  if (user.is_operator) {
    startSession(user);
    return user;
  }
  await call(accessCalls.logOut);
  return null;
}

/** How long a logout waits for the server. */
const LOGOUT_TIMEOUT_MS = 5_000;

let ending: Promise<void> | undefined;

async function endOnServer(): Promise<void> {
  if (!getSession()) return;
  try {
    const ended = call(accessCalls.logOut, { signal: AbortSignal.timeout(LOGOUT_TIMEOUT_MS) });
    endSession();
    await ended;
  } catch {
    // The session has ended here. The server ends an unused session by itself.
  }
}

/**
 * Ends the session in this browser at once, and on the server. Resolves when the server has replied or the time is
 * over. Calls during a logout wait for that logout.
 */
export const signOut = (): Promise<void> => (ending ??= endOnServer().finally(() => (ending = undefined)));

/** Reloads the signed-in user after a change such as joining a school. */
export function useReloadMe(): () => Promise<User> {
  const client = useQueryClient();
  return async () => {
    const key = getSession()?.key;
    const { user } = await client.fetchQuery({ ...meQuery(), staleTime: 0 });
    if (key) renewUser(key, user);
    return user;
  };
}
