import { useSyncExternalStore } from 'react';
import type { PupilsCreated } from '#contract/calls/pupil-import.ts';
import { groupBy } from '../../../../shared/group-by.ts';
import { onSessionReset } from '../../../../shared/session-reset.ts';

/** What the last import in this tab added. Lists mark it until the user closes the notice. */
interface AddedPupils {
  /** The run with which it can be undone. */
  runId: number | null;
  ids: readonly number[];
  moved: number;
  /** The classes that got new pupils. */
  classes: readonly { id: number; name: string; pupils: number; isNew: boolean }[];
}

/** What an import added, by class. */
export function addedBy({
  run_id: runId,
  readers: pupils,
  meta,
}: Pick<PupilsCreated, 'run_id' | 'readers' | 'meta'>): AddedPupils {
  const byClass = groupBy(pupils, (pupil) => pupil.group?.id);
  return {
    runId,
    ids: pupils.map(({ id }) => id),
    moved: meta.moved,
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

onSessionReset(() => markAdded(null));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The last import in this tab; null on the server. */
export const useAdded = (): AddedPupils | null =>
  useSyncExternalStore(
    subscribe,
    () => added,
    () => null,
  );
