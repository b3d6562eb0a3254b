import { replaceEqualDeep } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { User } from '#contract/calls/access.ts';
import { randomKey } from './idempotency-key.ts';
import { getPageScope } from './page-scope.ts';
import { resetForSession } from './session-reset.ts';
import { readStored, store } from './storage.ts';
import { EXPIRED, isExpiredSession, readSession, SESSION_KEY, type Session } from './session-storage.ts';
import { hasOpenWork } from './unsaved-work.ts';

const listeners = new Set<() => void>();
let current = typeof window === 'undefined' ? null : readSession();
/** The server has ended the current session, without a log out. */
let isExpired = false;
/** Counts this tab's logins, and those of its user in other tabs. */
let logins = 0;
/** The session that has begun on this page, until the server has accepted its cookie. */
let untriedKey: string | undefined;

export type { Session };

/** @param draftOwner the user whose drafts stay */
function change(session: Session | null, draftOwner = session?.user.id ?? null): void {
  const isOther = session?.key !== current?.key;
  current = session;
  if (isOther) {
    isExpired = false;
    resetForSession(draftOwner);
  }
  for (const listener of listeners) listener();
}

const isSamePerson = (before: User, after: User): boolean =>
  before.id === after.id && before.impersonated_by?.full_name === after.impersonated_by?.full_name;

/** True when the user has switched from one school to another. Joining a first school, or leaving the last, is no switch. */
export const hasSwitched = (before: User, after: User): boolean =>
  before.id === after.id &&
  Boolean(before.enterprise_id && after.enterprise_id) &&
  before.enterprise_id !== after.enterprise_id;

/** Whether the page of the first user is also the second's: a page belongs to one user in one school. */
const isSameOwner = (before: User, after: User): boolean => isSamePerson(before, after) && !hasSwitched(before, after);

export function getSession(): Session | null {
  const scope = getPageScope();
  if (!scope) return current;
  return scope.user && { key: '', user: scope.user };
}

/** Goes on with the page of a user who has logged in again. */
function resume(user: User): void {
  if (!current) return;
  isExpired = false;
  logins += 1;
  change({ key: current.key, user: replaceEqualDeep(current.user, user) });
}

/**
 * Stores the user who has just signed in or switched school. The reply to a login has set the cookie. The page of the same
 * user in the same school goes on, and so do their other tabs, which notice the key.
 */
export function startSession(user: User): void {
  const session = { key: randomKey(), user };
  store(SESSION_KEY, session);
  if (current && isSameOwner(current.user, user)) return resume(user);
  logins += 1;
  untriedKey = session.key;
  change(session);
}

/** Adopts the user for whom the server rendered the page. Another user or school than before starts another session. */
export function adoptSession(user: User): void {
  // An equal session is not stored again: each write renders every other tab.
  if (current && isSameOwner(current.user, user)) return renewUser(current.key, user);
  const session = { key: randomKey(), user };
  store(SESSION_KEY, session);
  change(session);
}

/** Updates the signed-in user. Ignored if another user has signed in meanwhile. */
export function renewUser(key: string, user: User): void {
  if (current?.key !== key) return;
  // The session has moved to another school without this browser's tabs.
  if (hasSwitched(current.user, user)) return hasOpenWork() ? undefined : adoptSession(user);
  // An equal user causes no render, least of all during hydration.
  const renewed = replaceEqualDeep(current.user, user);
  if (renewed === current.user) return;
  store(SESSION_KEY, { key, user: renewed });
  change({ key, user: renewed });
}

/** Ends the session in every tab. One that has expired ends in this tab: another tab may have unsaved work of the user. */
export function endSession(): void {
  if (!current) return;
  store(SESSION_KEY, isExpired ? EXPIRED : null);
  change(null, isExpired ? current.user.id : null);
}

/** Notes that the server has ended the session, so that its user’s drafts stay when it ends here. */
export function noteExpiry(): void {
  isExpired = current !== null;
}

/** Changes with each login. */
export const countLogins = (): number => logins;

/** Notes that the server has accepted the session’s cookie. */
export function noteAccepted(key: string): void {
  if (untriedKey === key) untriedKey = undefined;
}

/** True if no call of the session has succeeded since it began on this page: the browser keeps no cookies. */
export const isUntried = (key: string): boolean => untriedKey === key;

/** Calls the listener at each login, logout and update, in other tabs too. Returns a function that removes it. */
export function onSessionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows a login, logout or switch of school in another tab. */
function followOtherTab(): void {
  const session = readSession();
  // The next call of this tab finds that the session has ended, and asks the user about unsaved work.
  if (!session && isExpiredSession(readStored(SESSION_KEY))) return;
  if (session && current && isSamePerson(current.user, session.user)) {
    if (!hasSwitched(current.user, session.user)) return resume(session.user);
    // The server rejects what this tab saves for its school, until the user switches back.
    if (hasOpenWork()) return resume(current.user);
  }
  change(session);
}

if (typeof window !== 'undefined')
  window.addEventListener('storage', (event) => {
    if (event.key === SESSION_KEY || event.key === null) followOtherTab();
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
