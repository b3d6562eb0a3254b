import type { User } from '#contract/calls/access.ts';
import { readStored, store } from './storage.ts';

/** Who is signed in. `user` is a snapshot, good enough to draw the first screen; `getMe` renews it. */
export interface Session {
  token: string;
  user: User;
}

const KEY = 'portal.session';
const listeners = new Set<() => void>();
let current = readSession();

function readSession(): Session | null {
  const stored = readStored(KEY) as Session | null;
  return stored && typeof stored.token === 'string' && stored.user ? stored : null;
}

function change(session: Session | null): void {
  current = session;
  store(KEY, session);
  for (const listener of listeners) listener();
}

export const getSession = (): Session | null => current;

export const startSession = (token: string, user: User): void => change({ token, user });

/** Keeps the newer facts about the signed-in person. Does nothing when another person signed in meanwhile. */
export function renewUser(token: string, user: User): void {
  if (current?.token === token) change({ token, user });
}

export function endSession(): void {
  if (current) change(null);
}

/** Calls back at each login, logout and renewal, those in other tabs included. Returns the way to stop. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A logout in one tab is a logout in all.
if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY && event.key !== null) return;
    current = readSession();
    for (const listener of listeners) listener();
  });
