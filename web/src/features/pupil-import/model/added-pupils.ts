import { useSyncExternalStore } from 'react';
import type { PupilsCreated } from '#contract/calls/pupil-import.ts';
import { groupBy } from '../../../shared/group-by.ts';

/** What the last import of this tab made: it is marked in lists until somebody has seen it. */
export interface AddedPupils {
  ids: readonly number[];
  moved: number;
  /** The classes that got new pupils. */
  classes: readonly { id: number; name: string; pupils: number; isNew: boolean }[];
}

/** What an import made, by class. */
export function addedBy({ readers: pupils, meta }: Pick<PupilsCreated, 'readers' | 'meta'>): AddedPupils {
  const byClass = groupBy(pupils, (pupil) => pupil.group?.id);
  return {
    ids: pupils.map(({ id }) => id),
    moved: meta.placed,
    classes: [...byClass].flatMap(([id, members]) => {
      const name = members[0]?.group?.name;
      return id === undefined || name === undefined
        ? []
        : [{ id, name, pupils: members.length, isNew: meta.classes_created.includes(name) }];
    }),
  };
}

let added: AddedPupils | null = null;
const listeners = new Set<() => void>();

export function markAdded(next: AddedPupils | null): void {
  added = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The last import of this tab; null where a page is drawn on the server, which knows of none. */
export const useAdded = (): AddedPupils | null =>
  useSyncExternalStore(
    subscribe,
    () => added,
    () => null,
  );
