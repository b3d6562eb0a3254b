import type { PupilsCreated } from '#contract/calls/pupil-import.ts';
import { count } from '../../../../shared/format.ts';
import { ApiError } from '../../../../shared/api-error.ts';
import { useIdempotencyKey } from '../../../../shared/idempotency-key.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { useUser } from '../../../../shared/session.ts';
import { useCreatePupils, type Creation } from '../pupil-import.api.ts';
import { addedBy, markAdded } from './added-pupils.ts';
import { hasYearGroupToStore, isImported, pupilOf } from './draft.ts';
import { storeNewLogins, useNewLogins } from '../../../school/login-cards/login-cards.public.ts';
import { storeUnfinishedImport, type UnfinishedImport, useUnfinishedImport } from './unfinished-import.ts';
import type { Draft } from './use-import-draft.ts';

/** `rejected`: nothing was imported. `unanswered`: the import may have been applied. */
export type ImportOutcome = PupilsCreated | 'rejected' | 'unanswered';

const isRejected = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;

function summaryOf({ meta }: PupilsCreated): string {
  const parts = [
    `${count(meta.created, 'pupil')} created.`,
    meta.classes_created.length > 0
      ? `New ${meta.classes_created.length === 1 ? 'class' : 'classes'}: ${meta.classes_created.join(', ')}.`
      : '',
    meta.moved > 0
      ? `${count(meta.moved, 'pupil')} of your school moved to ${meta.moved === 1 ? 'the class' : 'their classes'}.`
      : '',
  ];
  return parts.filter(Boolean).join(' ');
}

/**
 * Imports a checked list, and stores its logins until they are downloaded.
 * @param pageClassId the class on whose page they are added; null on the school's
 */
export function useCreation(schoolId: number, pageClassId: number | null) {
  const userId = useUser().id;
  const create = useCreatePupils(schoolId);
  const logins = useNewLogins(userId);
  const unfinished = useUnfinishedImport(userId);
  // The same list sent again after a lost reply is the same request.
  const { keyFor, forget } = useIdempotencyKey();

  const send = async (unanswered: UnfinishedImport): Promise<ImportOutcome> => {
    const { request } = unanswered;
    storeUnfinishedImport(unanswered);
    try {
      const created = await create.mutateAsync(request);
      storeUnfinishedImport(null);
      forget();
      markAdded(created.readers.length + created.meta.moved > 0 ? addedBy(created) : null);
      if (created.links) {
        const summary = summaryOf(created);
        storeNewLogins({
          userId,
          at: currentTime(),
          links: created.links,
          summary,
          count: created.readers.length,
          classId: pageClassId,
        });
      }
      return created;
    } catch (error) {
      // Shown as `error`.
      if (!isRejected(error)) return 'unanswered';
      storeUnfinishedImport(null);
      return 'rejected';
    }
  };

  /** Imports the list. */
  const run = async (draft: Draft, existing: readonly number[]): Promise<ImportOutcome> => {
    const classId = typeof draft.destination === 'number' ? draft.destination : null;
    const pupils = draft.rows
      .filter((row) => isImported(row) || hasYearGroupToStore(row))
      .map((row) => ({
        ...pupilOf(row, classId === null ? draft.destination : 'none'),
        // A pupil who was erased or renamed since the preview must not be created again.
        ...(row.existing && { existing_id: row.existing.id }),
      }));
    const request: Omit<Creation, 'idempotencyKey'> = {
      classId,
      pupils,
      existing: [...existing],
      columns: [...draft.chosenColumns],
      ...(draft.source.kind === 'file' && { title: draft.source.file.name.slice(0, 200) }),
    };
    return send({ userId, at: currentTime(), request: { ...request, idempotencyKey: keyFor(request) } });
  };

  return {
    run,
    /** An import from an earlier visit that had no reply. */
    unfinished: create.isPending ? null : unfinished,
    /** Sends it again. */
    resume: async (): Promise<ImportOutcome> => (unfinished ? send(unfinished) : 'rejected'),
    isRunning: create.isPending,
    runningPupils: create.variables?.pupils.length ?? 0,
    error: create.error as unknown,
    clearError: create.reset,
    logins,
    confirm: () => storeNewLogins(null),
  };
}
