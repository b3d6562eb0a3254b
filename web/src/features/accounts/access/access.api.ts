import { useQueryClient } from '@tanstack/react-query';
import { accessCalls, type User } from '#contract/calls/access.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { logOut } from '../../../shared/log-out.ts';
import { getSession, renewUser, startSession } from '../../../shared/session.ts';
import { enterWith } from '../memberships/enter-school.public.ts';

export const meQuery = () => apiQuery(accessCalls.getMe, {});

/** Signs in, stores the session and returns the user. */
export async function signIn(body: BodyInputOf<typeof accessCalls.logIn>): Promise<User> {
  const { user } = await call(accessCalls.logIn, { body });
  await enterWith(user);
  return user;
}

/** Signs in to the operators' console. Returns null, without a session, for anyone but an operator. */
export async function signInAsOperator(body: BodyInputOf<typeof accessCalls.logIn>): Promise<User | null> {
  const { user } = await call(accessCalls.logIn, { body });
  if (user.is_operator) {
    startSession(user);
    return user;
  }
  await logOut();
  return null;
}

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
