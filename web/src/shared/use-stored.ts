import { useMemo } from 'react';
import { onStoreChange, parseText, readText } from './storage.ts';
import { useBrowserValue } from './use-browser-value.ts';

/** A stored value that re-renders the component when it changes. Null on the server and while the page hydrates. */
export function useStored(key: string): unknown {
  const text = useBrowserValue(() => readText(key), null, onStoreChange);
  return useMemo(() => parseText(text), [text]);
}
