import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import { currentTime } from '../../../shared/page-scope.ts';
import { store, useStored } from '../../../shared/storage.ts';

/** Logins that were made and may not be downloaded yet. */
export interface NewLogins {
  userId: number;
  /** When they were made. */
  at: number;
  links: LoginLinks;
  /** What was done, in a sentence. */
  summary: string;
  classId: number | null;
}

const KEY = 'portal.new-logins';
/** So long the links work. */
const LIFE_MS = 24 * 3_600_000;

/** Keeps the links until the person says that the files are there: a closed tab does not lose the passwords. */
export const keepNewLogins = (logins: NewLogins | null): void => store(KEY, logins);

/** Links that the person has not confirmed, from this browser; null while the page hydrates. */
export function useNewLogins(userId: number): NewLogins | null {
  const stored = useStored(KEY) as NewLogins | null;
  const isCurrent =
    stored?.userId === userId && currentTime() - stored.at < LIFE_MS && typeof stored.links?.logins === 'string';
  return isCurrent ? stored : null;
}
