import { onSessionReset } from './session-reset.ts';

/** Values that could not be stored: kept while the page is open. */
const unstored = new Map<string, string>();

export function readText(key: string): string | null {
  try {
    return unstored.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function parseText(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

const listeners = new Set<() => void>();

export function onStoreChange(onChange: () => void): () => void {
  listeners.add(onChange);
  // Changes in other tabs.
  window.addEventListener('storage', onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** Reads a value from this browser's storage; null if there is none or it does not parse. */
export const readStored = (key: string): unknown => parseText(readText(key));

/** Stores a value in this browser, or removes it when it is null. */
export function store(key: string, value: unknown): void {
  unstored.delete(key);
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    if (value !== null) unstored.set(key, JSON.stringify(value));
  }
  for (const listener of listeners) listener();
}

/** Keys of values that name children. They are removed when the user logs out: schools share computers. */
const PRIVATE_PREFIX = 'portal.private.';
export const privateKey = (name: string): string => `${PRIVATE_PREFIX}${name}`;

/**
 * Removes every value under a `privateKey` from this browser and from this tab.
 * @param draftOwner the user whose drafts stay in this tab
 */
export function removePrivateValues(draftOwner: number | null): void {
  const keys = [...unstored.keys()];
  try {
    keys.push(...Object.keys(localStorage));
    for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith(PRIVATE_PREFIX))) {
      const { userId = null } = (parseText(sessionStorage.getItem(key)) ?? {}) as { userId?: number };
      if (userId === null || userId !== draftOwner) sessionStorage.removeItem(key);
    }
  } catch {
    // Storage is blocked, so this browser stores nothing.
  }
  for (const key of keys) if (key.startsWith(PRIVATE_PREFIX)) store(key, null);
}

onSessionReset(removePrivateValues);
