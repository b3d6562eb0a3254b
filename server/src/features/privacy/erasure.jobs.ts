import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { clearDetailsAbout } from './erasure.queries.ts';
import { ERASED_DETAILS_JOB, ERASURE_LIST_JOB, type ErasedDetails } from './erasure.service.ts';
import { addToErasureList, type ListedErasure } from './erasure-list.service.ts';

/** Adds an erasure to the list beside the backups, after it is committed. */
export const erasureListJob = ({ config }: Services): Job<ListedErasure> => ({
  name: ERASURE_LIST_JOB,
  run: async ({ kind, schoolId, digest }) => {
    if (config.backupDir) await addToErasureList(config.backupDir, { kind, schoolId, digest });
  },
});

/** Empties the entries of the audit log whose text is about an erased person, in a transaction of its own. */
export const erasedDetailsJob = ({ database }: Services): Job<ErasedDetails> => ({
  name: ERASED_DETAILS_JOB,
  run: async ({ schoolId, kind, id }) => {
    await clearDetailsAbout(database, schoolId, { kind, id });
  },
});
