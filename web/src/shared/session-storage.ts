import type { User } from '#contract/calls/access.ts';
import { readStored } from './storage.ts';

/**
 * Who is signed in. `user` is a snapshot, good enough to draw the first screen; `getMe` renews it.
 * `key` tells one login of this browser from the next; the token is in a cookie that no script can read.
 */
export interface Session {
  key: string;
  user: User;
}

/** Where this browser keeps the session. */
export const SESSION_KEY = 'portal.session';

/** The session as this browser keeps it, or null for a guest. */
export function readSession(): Session | null {
  const stored = readStored(SESSION_KEY) as Session | null;
  return stored && typeof stored.key === 'string' && stored.user ? stored : null;
}
