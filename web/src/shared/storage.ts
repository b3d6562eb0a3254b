import { useMemo } from 'react';
import { onSessionReset } from './session-reset.ts';
import { useBrowserValue } from './use-browser-value.ts';

/** Values that could not be stored: kept while the page is open. */
const unstored = new Map<string, string>();

function readText(key: string): string | null {
  try {
    return unstored.get(key) ?? localStorage.getItem(key);
  } catch {
    return null;
  }
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

const listeners = new Set<() => void>();

function subscribe(onChange: () => void): () => void {
  listeners.add(onChange);
  // Changes in other tabs.
  window.addEventListener('storage', onChange);
  return () => {
    listeners.delete(onChange);
    window.removeEventListener('storage', onChange);
  };
}

/** Reads a value from this browser's storage; null if there is none or it does not parse. */
export const readStored = (key: string): unknown => parse(readText(key));

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

/** A stored value that re-renders the component when it changes. Null on the server and while the page hydrates. */
export function useStored(key: string): unknown {
  const text = useBrowserValue(() => readText(key), null, subscribe);
  return useMemo(() => parse(text), [text]);
}

/** Keys of values that name children. They are removed when the user logs out: schools share computers. */
const PRIVATE_PREFIX = 'portal.private.';
export const privateKey = (name: string): string => `${PRIVATE_PREFIX}${name}`;

/** Removes every value under a `privateKey` from this browser. */
function removePrivateValues(): void {
  const keys = [...unstored.keys()];
  try {
    keys.push(...Object.keys(localStorage));
  } catch {
    // Storage is blocked, so this browser stores nothing.
  }
  for (const key of keys) if (key.startsWith(PRIVATE_PREFIX)) store(key, null);
}

onSessionReset(removePrivateValues);
