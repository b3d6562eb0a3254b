import type { PupilsCreated } from '#contract/calls/pupil-import.ts';
import { count } from '../../../shared/format.ts';
import { useIdempotencyKey } from '../../../shared/idempotency-key.ts';
import { useUser } from '../../../shared/session.ts';
import { useCreatePupils, type Creation } from '../pupil-import.api.ts';
import { addedBy, markAdded } from './added-pupils.ts';
import { pupilOf } from './draft.ts';
import { keepNewLogins, useNewLogins } from '../../login-cards/login-cards.public.ts';
import type { Draft } from './use-import-draft.ts';

function summaryOf({ meta }: PupilsCreated): string {
  const parts = [
    `${count(meta.created, 'pupil')} created.`,
    meta.classes_created.length > 0
      ? `New ${meta.classes_created.length === 1 ? 'class' : 'classes'}: ${meta.classes_created.join(', ')}.`
      : '',
    meta.placed > 0
      ? `${count(meta.placed, 'pupil')} of your school put into ${meta.placed === 1 ? 'the class' : 'their classes'}.`
      : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/** Imports a checked list, and holds its logins until they are downloaded. */
export function useCreation(schoolId: number) {
  const userId = useUser().id;
  const create = useCreatePupils(schoolId);
  const logins = useNewLogins(userId);
  // The same list once more, after an answer was lost on its way, is the same request.
  const { keyFor, forget } = useIdempotencyKey();

  /** What was created, or null when it failed. */
  const run = async (draft: Draft, existing: readonly number[]): Promise<PupilsCreated | null> => {
    const classId = typeof draft.destination === 'number' ? draft.destination : null;
    const pupils = draft.rows
      .filter(({ isLeftOut, status }) => !isLeftOut && (status === 'new' || status === 'placed'))
      .map((row) => pupilOf(row, classId === null ? draft.destination : 'none'));
    const wanted: Omit<Creation, 'idempotencyKey'> = { classId, pupils, existing: [...existing] };
    try {
      const done = await create.mutateAsync({ ...wanted, idempotencyKey: keyFor(wanted) });
      forget();
      markAdded(done.readers.length + done.meta.placed > 0 ? addedBy(done) : null);
      if (done.links) {
        keepNewLogins({ userId, at: Date.now(), links: done.links, summary: summaryOf(done), classId });
      }
      return done;
    } catch {
      // `error` tells of it.
      return null;
    }
  };

  return {
    run,
    isRunning: create.isPending,
    error: create.error as unknown,
    clearError: create.reset,
    logins,
    confirm: () => keepNewLogins(null),
  };
}
