import { useSyncExternalStore } from 'react';

const neverChanges = () => () => {};

/**
 * A value that only the browser knows, such as its time zone. A page that hydrates renders `onServer` first, as the
 * server did.
 * @param read returns the same value, or the same object, while nothing has changed
 */
export const useBrowserValue = <Value>(
  read: () => Value,
  onServer: Value,
  subscribe: (onChange: () => void) => () => void = neverChanges,
): Value => useSyncExternalStore(subscribe, read, () => onServer);
