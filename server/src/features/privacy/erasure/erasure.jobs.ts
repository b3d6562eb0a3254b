import { recordLastNumbers } from '../../../backups/last-numbers.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { clearDetailsAbout } from './erasure.queries.ts';
import { ERASED_DETAILS_JOB, ERASURE_LIST_JOB, type ErasedDetails } from './erasure.service.ts';
import { addToErasureList, type ListedErasure } from './erasure-list.service.ts';

/**
 * Adds an erasure to the list beside the backups, after it is committed. A database that was restored from a moment
 * before it is recognised from then on.
 */
export const erasureListJob = ({ database, clock }: Services, folder: string): Job<ListedErasure> => ({
  name: ERASURE_LIST_JOB,
  run: async ({ kind, schoolId, digest }) => {
    await addToErasureList(folder, { kind, schoolId, digest });
    await recordLastNumbers(database, folder, clock.now());
  },
});

/** Empties the entries of the audit log whose text is about an erased person, in a transaction of its own. */
export const erasedDetailsJob = ({ database, config }: Services): Job<ErasedDetails> => ({
  name: ERASED_DETAILS_JOB,
  run: async ({ schoolId, kind, id, receipt }) => {
    await clearDetailsAbout(database, schoolId, { kind, id }, { config, receipt: Buffer.from(receipt, 'hex') });
  },
});
