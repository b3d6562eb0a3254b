import type { User } from '#contract/calls/access.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import { sessionInsert } from '../../auth/sessions.queries.ts';
import { hashToken, newToken } from '../../auth/tokens.ts';
import { getUser } from './access.queries.ts';

interface SignIn {
  userId: number;
  schoolId: number | null;
  /** The operator who logs in as the user. */
  impersonatorId?: number;
  /** Lifetime of the session in milliseconds; the usual one when absent. */
  lasts?: number;
}

/** Starts a session and returns the reply of every kind of login. */
export async function startSession(
  db: PlatformDb,
  session: SignIn,
  now: Date,
): Promise<{ user: User; meta: { token: string } }> {
  const token = newToken();
  const begun = sessionInsert({ tokenHash: hashToken(token), ...session }, now);
  return { user: await getUser(db, session.userId, now, session.impersonatorId ?? null, begun), meta: { token } };
}
