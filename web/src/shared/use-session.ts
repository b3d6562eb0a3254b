import { useSyncExternalStore } from 'react';
import type { User } from '#contract/calls/access.ts';
import { getSession, onSessionChange, type Session } from './session.ts';

/** The session, or null for a guest. Draws again when it changes, in this tab or in another. */
export const useSession = (): Session | null => useSyncExternalStore(onSessionChange, getSession);

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
