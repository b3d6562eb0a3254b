import { onSessionReset } from '../../../../shared/session-reset.ts';
import { readStored, store } from '../../../../shared/storage.ts';

/** A confirmation counts for this long. */
const QUIET_MS = 300_000;

/** Removing one book and removing many are confirmed separately. */
export type RemovalKind = 'one' | 'many';

const confirmedAt: Partial<Record<RemovalKind, number>> = {};
const storageKey = (kind: RemovalKind): string => `portal.removal-confirmed.${kind}`;

// The next user has confirmed nothing.
onSessionReset(() => {
  for (const kind of ['one', 'many'] as const) {
    delete confirmedAt[kind];
    store(storageKey(kind), null);
  }
});

/** Remembers that the user has confirmed a removal of this kind now. */
export function rememberRemovalConfirmed(kind: RemovalKind, now = Date.now()): void {
  confirmedAt[kind] = now;
  store(storageKey(kind), now);
}

/** Whether a removal must be confirmed: yes, unless one of its kind was confirmed in the last 5 minutes. */
export function mustConfirmRemoval(kind: RemovalKind, now = Date.now()): boolean {
  const last = confirmedAt[kind] ?? readStored(storageKey(kind));
  return !(typeof last === 'number' && last <= now && now - last < QUIET_MS);
}
