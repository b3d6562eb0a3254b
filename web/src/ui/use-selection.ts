import { useState } from 'react';
import { useOpenWork } from '../shared/unsaved-work.ts';

export type Key = string | number;

export interface Selection {
  keys: ReadonlySet<Key>;
  /** Selects or unselects some rows. */
  set: (keys: readonly Key[], isSelected: boolean) => void;
  clear: () => void;
}

/** The chosen rows of a table, kept across its pages. */
export function useSelection(): Selection {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  useOpenWork(keys.size > 0);
  return {
    keys,
    set: (changed, isSelected) =>
      setKeys((old) => {
        const next = new Set(old);
        for (const key of changed) {
          if (isSelected) next.add(key);
          else next.delete(key);
        }
        return next;
      }),
    clear: () => setKeys(new Set()),
  };
}
