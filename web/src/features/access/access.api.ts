import { useQueryClient } from '@tanstack/react-query';
import { accessCalls, type User } from '#contract/calls/access.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';
import { apiQuery } from '../../shared/api-query.ts';
import { endSession, getSession, renewUser, startSession } from '../../shared/session.ts';

export const meQuery = () => apiQuery(accessCalls.getMe, {});

/** Signs in and keeps the session. Answers the user. */
export async function signIn(body: BodyInputOf<typeof accessCalls.logIn>): Promise<User> {
  const { user } = await call(accessCalls.logIn, { body });
  startSession(user);
  return user;
}

/** Signs in at the operator's console. Anybody else gets no session, and null is answered. */
export async function signInAsOperator(body: BodyInputOf<typeof accessCalls.logIn>): Promise<User | null> {
  const { user } = await call(accessCalls.logIn, { body });
  if (user.is_operator) {
    startSession(user);
    return user;
  }
  await call(accessCalls.logOut);
  return null;
}

/** Longer nobody who logs out waits for the server, in milliseconds. */
const TOLD_WITHIN_MS = 5_000;

/** Ends the session here at once, and on the server when it can be reached: resolves when that has answered, or is given up. */
export async function signOut(): Promise<void> {
  if (!getSession()) return;
  try {
    const ended = call(accessCalls.logOut, { signal: AbortSignal.timeout(TOLD_WITHIN_MS) });
    endSession();
    await ended;
  } catch {
    // Gone here either way; the server lets an unused session end by itself.
  }
}

/** Loads the signed-in person afresh after a change of what they are, such as joining a school. */
export function useReloadMe(): () => Promise<User> {
  const client = useQueryClient();
  return async () => {
    const key = getSession()?.key;
    const { user } = await client.fetchQuery({ ...meQuery(), staleTime: 0 });
    if (key) renewUser(key, user);
    return user;
  };
}
