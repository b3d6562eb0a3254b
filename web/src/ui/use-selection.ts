import { useEffect, useState } from 'react';
import { useOpenWork } from '../shared/unsaved-work.ts';

export type Key = string | number;

export interface Selection {
  keys: ReadonlySet<Key>;
  /** Selects or unselects some rows. */
  set: (keys: readonly Key[], isSelected: boolean) => void;
  clear: () => void;
}

type Change = (keys: readonly Key[], isSelected: boolean) => void;

const selections = new Set<Change>();

/** Unselects rows that no longer exist, in every table on the page. */
export function dropFromSelections(keys: readonly Key[]): void {
  for (const change of selections) change(keys, false);
}

/**
 * The selected rows of a table, kept across its pages.
 * @param existing the keys of all rows, where they are known: others leave the selection
 */
export function useSelection(existing?: readonly Key[]): Selection {
  const [keys, setKeys] = useState<ReadonlySet<Key>>(new Set());
  const [change] = useState(
    (): Change => (changed, isSelected) =>
      setKeys((old) => {
        const next = new Set(old);
        for (const key of changed) {
          if (isSelected) next.add(key);
          else next.delete(key);
        }
        return next;
      }),
  );
  const missing = existing && [...keys].filter((key) => !existing.includes(key));
  if (missing && missing.length > 0) change(missing, false);
  useOpenWork(keys.size > 0);
  useEffect(() => {
    selections.add(change);
    return () => void selections.delete(change);
  }, [change]);
  return { keys, set: change, clear: () => setKeys(new Set()) };
}
