import { getMe, logIn, logOut } from '#contract/calls/access.ts';
import type { BodyInputOf } from '#contract/call.ts';
import { call } from '../../shared/api-client.ts';
import { queryOf } from '../../shared/query-of.ts';
import { endSession, getSession, startSession } from '../../shared/session.ts';

export const meQuery = () => queryOf(getMe, {});

/** Signs in and keeps the session. Answers the user. */
export async function signIn(body: BodyInputOf<typeof logIn>) {
  const { user, meta } = await call(logIn, { body });
  startSession(meta.token, user);
  return user;
}

/** Ends the session here at once, and on the server when it can be reached. */
export async function signOut(): Promise<void> {
  if (!getSession()) return;
  try {
    // The call reads the token before the session is cleared.
    const ended = call(logOut);
    endSession();
    await ended;
  } catch {
    // Gone here either way; the server lets an unused session end by itself.
  }
}
