import { replaceEqualDeep } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { User } from '#contract/calls/access.ts';
import { randomKey } from './random-key.ts';
import { getPageScope } from './page-scope.ts';
import { removePrivateValues, store } from './storage.ts';
import { readSession, SESSION_KEY, type Session } from './session-storage.ts';

const listeners = new Set<() => void>();
let current = typeof window === 'undefined' ? null : readSession();

export type { Session };

function change(session: Session | null): void {
  if (session?.user.id !== current?.user.id) removePrivateValues();
  current = session;
  store(SESSION_KEY, session);
  for (const listener of listeners) listener();
}

export function getSession(): Session | null {
  const scope = getPageScope();
  if (!scope) return current;
  return scope.user && { key: '', user: scope.user };
}

/** Stores the user who has just signed in. The reply to the login has set the cookie. */
export const startSession = (user: User): void => change({ key: randomKey(), user });

/** Adopts the user for whom the server rendered the page. Another user than before starts another session. */
export function adoptSession(user: User): void {
  const isSame =
    current?.user.id === user.id && current.user.impersonated_by?.full_name === user.impersonated_by?.full_name;
  if (!isSame || !current) return change({ key: randomKey(), user });
  // An equal session is not stored again: each write renders every other tab.
  const adopted = replaceEqualDeep(current.user, user);
  if (adopted !== current.user) change({ key: current.key, user: adopted });
}

/** Updates the signed-in user. Ignored if another user has signed in meanwhile. */
export function renewUser(key: string, user: User): void {
  if (current?.key !== key) return;
  // An equal user causes no render, least of all during hydration.
  const renewed = replaceEqualDeep(current.user, user);
  if (renewed !== current.user) change({ key, user: renewed });
}

export function endSession(): void {
  if (current) change(null);
}

/** Calls the listener at each login, logout and update, in other tabs too. Returns a function that removes it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

// A logout in one tab applies to all tabs.
if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key !== SESSION_KEY && event.key !== null) return;
    current = readSession();
    for (const listener of listeners) listener();
  });

/** The session; null for a guest. Re-renders when it changes, in any tab. */
export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, getSession, getSession);

/** The signed-in user. Only for screens behind the guard. */
export function useUser(): User {
  const session = useSession();
  if (!session) throw new Error('This screen needs a signed-in user');
  return session.user;
}

/** ID of the signed-in user's school. Only for screens behind the guard. */
export function useSchoolId(): number {
  const id = useUser().enterprise_id;
  if (id === null) throw new Error('This screen needs a school');
  return id;
}
