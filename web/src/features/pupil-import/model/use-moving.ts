import { useState } from 'react';
import { placeable } from './draft.ts';
import type { Draft } from './use-import-draft.ts';

/** Pupils of the list whom the school has, and who could go into the chosen class with the new ones. */
export interface Moving {
  loose: readonly number[];
  elsewhere: readonly number[];
  takesLoose: boolean;
  setTakesLoose: (takes: boolean) => void;
  takesOthers: boolean;
  setTakesOthers: (takes: boolean) => void;
  /** Those who will go. */
  chosen: readonly number[];
}

/** Who has no class is meant when named for one; who is in another stays there unless the person says so. */
export function useMoving(draft: Draft | null): Moving {
  const [takesLoose, setTakesLoose] = useState(true);
  const [takesOthers, setTakesOthers] = useState(false);
  const { loose, elsewhere } =
    draft && typeof draft.destination === 'number'
      ? placeable(draft.rows, draft.destination)
      : { loose: [], elsewhere: [] };
  return {
    loose,
    elsewhere,
    takesLoose,
    setTakesLoose,
    takesOthers,
    setTakesOthers,
    chosen: [...(takesLoose ? loose : []), ...(takesOthers ? elsewhere : [])],
  };
}
