import type { LoginLinks } from '#contract/calls/pupil-import.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { store } from '../../../../shared/storage.ts';
import { useStored } from '../../../../shared/use-stored.ts';

/** New logins that may not have been downloaded yet. */
export interface NewLogins {
  userId: number;
  /** When they were created. */
  at: number;
  links: LoginLinks;
  /** A sentence about what was done. */
  summary: string;
  /** How many pupils there are; absent in a browser that stored it before an upgrade. */
  count?: number;
  /** The class on whose page they were added; null for those added on the school's. */
  classId: number | null;
}

const KEY = 'portal.new-logins';
/** How long the links work. */
const LIFE_MS = 24 * 3_600_000;

/** Stores the links until the user confirms the download, so that closing the tab does not lose the passwords. */
export const storeNewLogins = (logins: NewLogins | null): void => store(KEY, logins);

/** Links in this browser that the user has not confirmed; null while the page hydrates. */
export function useNewLogins(userId: number): NewLogins | null {
  const stored = useStored(KEY) as NewLogins | null;
  const isCurrent =
    stored?.userId === userId && currentTime() - stored.at < LIFE_MS && typeof stored.links?.logins === 'string';
  return isCurrent ? stored : null;
}
