import { readStored, store } from '../../../shared/storage.ts';

/** For so long after a removal was confirmed nobody is asked again. */
const QUIET_MS = 300_000;
const KEY = 'portal.removal-confirmed';

let confirmed: number | null = null;

/** Notes that somebody has confirmed a removal now. */
export function noteRemovalConfirmed(now = Date.now()): void {
  confirmed = now;
  store(KEY, now);
}

/** Whether a removal is to be confirmed: not within 5 minutes of the last one. */
export function mustConfirmRemoval(now = Date.now()): boolean {
  const last = confirmed ?? readStored(KEY);
  return !(typeof last === 'number' && last <= now && now - last < QUIET_MS);
}
