import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { ERASURE_LIST_JOB } from './erasure.service.ts';
import { addToErasureList, type ListedErasure } from './erasure-list.service.ts';

/** Adds an erasure to the list beside the backups, after it is committed. */
export const erasureListJob = ({ config }: Services): Job<ListedErasure> => ({
  name: ERASURE_LIST_JOB,
  run: async ({ kind, schoolId, digest }) => {
    if (config.backupDir) await addToErasureList(config.backupDir, { kind, schoolId, digest });
  },
});
