import type { User } from '#contract/calls/access.ts';
import { readStored } from './storage.ts';

/**
 * The signed-in user. `user` is a snapshot for the first render, which `getMe` updates. `key` identifies one login in
 * this browser. The token is in a cookie that scripts cannot read.
 */
export interface Session {
  key: string;
  user: User;
}

/** Storage key of the session. */
export const SESSION_KEY = 'portal.session';

/** What a session does not have that an earlier build stored. */
type Newer = 'covers' | 'require_provider';
type StoredSession = Omit<Session, 'user'> & { user: Omit<User, Newer> & Partial<Pick<User, Newer>> };

/** The stored session; null for a guest. */
export function readSession(): Session | null {
  const stored = readStored(SESSION_KEY) as StoredSession | null;
  return stored && typeof stored.key === 'string' && stored.user
    ? { ...stored, user: { covers: [], require_provider: false, ...stored.user } }
    : null;
}

/** Stored in place of a session that the server has ended. */
export const EXPIRED = { isExpired: true };

export const isExpiredSession = (stored: unknown): boolean =>
  typeof stored === 'object' && stored !== null && 'isExpired' in stored;
