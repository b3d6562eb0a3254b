import { replaceEqualDeep } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { User } from '#contract/calls/access.ts';
import { randomKey } from './random-key.ts';
import { getPageScope } from './page-scope.ts';
import { store } from './storage.ts';
import { readSession, SESSION_KEY, type Session } from './session-storage.ts';

const listeners = new Set<() => void>();
let current = typeof window === 'undefined' ? null : readSession();

export type { Session };

function change(session: Session | null): void {
  current = session;
  store(SESSION_KEY, session);
  for (const listener of listeners) listener();
}

export function getSession(): Session | null {
  const scope = getPageScope();
  if (!scope) return current;
  return scope.user && { key: '', user: scope.user };
}

/** Keeps who has just signed in; the reply that said so has set the cookie. */
export const startSession = (user: User): void => change({ key: randomKey(), user });

/** Keeps whom the server drew the page for. The same person goes on with the same login, another one begins one. */
export function adoptSession(user: User): void {
  const isSame =
    current?.user.id === user.id && current.user.impersonated_by?.full_name === user.impersonated_by?.full_name;
  if (!isSame || !current) return change({ key: randomKey(), user });
  // An equal session is not stored again: each write renders every other tab.
  const adopted = replaceEqualDeep(current.user, user);
  if (adopted !== current.user) change({ key: current.key, user: adopted });
}

/** Keeps the newer facts about the signed-in person. Does nothing when another person signed in meanwhile. */
export function renewUser(key: string, user: User): void {
  if (current?.key !== key) return;
  // Nothing is drawn again for what was known: least of all a page that is being taken over.
  const renewed = replaceEqualDeep(current.user, user);
  if (renewed !== current.user) change({ key, user: renewed });
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
    if (event.key !== SESSION_KEY && event.key !== null) return;
    current = readSession();
    for (const listener of listeners) listener();
  });

/** The session, or null for a guest. Draws again when it changes, in this tab or in another. */
export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, getSession, getSession);

/** The signed-in person. Only for screens behind the guard. */
export function useUser(): User {
  const session = useSession();
  if (!session) throw new Error('This screen needs somebody signed in');
  return session.user;
}

/** Id of the signed-in person's school. Only for screens behind the guard. */
export function useSchoolId(): number {
  const id = useUser().enterprise_id;
  if (id === null) throw new Error('This screen needs a school');
  return id;
}
