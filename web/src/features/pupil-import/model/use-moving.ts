import { useState } from 'react';
import { placeable } from './draft.ts';
import type { Draft } from './use-import-draft.ts';

/** Pupils of the list whom the school has, and who could go into the chosen class with the new ones. */
export interface Moving {
  unassigned: readonly number[];
  inOtherClass: readonly number[];
  takesUnassigned: boolean;
  setTakesUnassigned: (takes: boolean) => void;
  takesOthers: boolean;
  setTakesOthers: (takes: boolean) => void;
  /** Those who will go. */
  chosen: readonly number[];
}

/** Who has no class is meant when named for one; who is in another stays there unless the person says so. */
export function useMoving(draft: Draft | null): Moving {
  const [takesUnassigned, setTakesUnassigned] = useState(true);
  const [takesOthers, setTakesOthers] = useState(false);
  const { unassigned, inOtherClass } =
    draft && typeof draft.destination === 'number'
      ? placeable(draft.rows, draft.destination)
      : { unassigned: [], inOtherClass: [] };
  return {
    unassigned,
    inOtherClass,
    takesUnassigned,
    setTakesUnassigned,
    takesOthers,
    setTakesOthers,
    chosen: [...(takesUnassigned ? unassigned : []), ...(takesOthers ? inOtherClass : [])],
  };
}
