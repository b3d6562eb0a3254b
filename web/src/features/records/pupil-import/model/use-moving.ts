import { useState } from 'react';
import { placeable } from './draft.ts';
import type { Draft } from './use-import-draft.ts';

/** Pupils on the list who are already in the school, and could move to the selected class with the new ones. */
export interface MoveChoices {
  unassigned: readonly number[];
  inOtherClass: readonly number[];
  takesUnassigned: boolean;
  setTakesUnassigned: (takes: boolean) => void;
  takesOthers: boolean;
  setTakesOthers: (takes: boolean) => void;
  /** IDs of the pupils who will move. */
  chosen: readonly number[];
}

/**
 * Pupils without a class move to the selected class unless the user decides otherwise. Pupils in another class stay
 * there unless the user moves them.
 */
export function useMoving(draft: Draft | null): MoveChoices {
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
