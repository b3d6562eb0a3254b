import { useEffect, useRef } from 'react';
import type { Selection } from '../../../../ui/use-selection.ts';

/**
 * The selected pupils of a list that the server pages: those on pages left behind are remembered as they were seen, those
 * who are shown are taken as they are now.
 */
export function useSelectedPupils<Pupil extends { id: number }>(
  selection: Selection,
  shown: readonly Pupil[] | undefined,
) {
  const seen = useRef(new Map<number, Pupil>()).current;
  for (const pupil of shown ?? []) seen.set(pupil.id, pupil);
  useEffect(() => {
    if (selection.keys.size === 0) seen.clear();
  }, [selection.keys, seen]);
  return {
    selectedPupils: [...selection.keys].flatMap((key) => seen.get(Number(key)) ?? []),
    remember: (pupils: readonly Pupil[]) => {
      for (const pupil of pupils) seen.set(pupil.id, pupil);
    },
  };
}
