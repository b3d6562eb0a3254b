import { DAY_MS } from '../../../clock.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { createToken } from '../../../auth/one-time-tokens.queries.ts';
import { requirePasswordReset } from './accounts.queries.ts';

/** How long a set-up link works: 7 days. */
const SET_UP_LINK_TTL_MS = 7 * DAY_MS;

/** Creates the token of a set-up link. Its user must choose a password before anything else. */
export async function makeSetUpLink(
  db: PlatformDb,
  user: { userId: number; schoolId: number | null },
  now: Date,
): Promise<string> {
  await requirePasswordReset(db, user.userId);
  return createToken(db, { kind: 'set_up', ...user, lasts: SET_UP_LINK_TTL_MS }, now);
}
