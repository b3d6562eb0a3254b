import { runCleanups } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { deleteWithdrawnClassBooks, deleteWithdrawnPupilBooks, WITHDRAWN_BOOKS_JOB } from './catalogue.queries.ts';

/** After books were withdrawn, and each night: deletes their assignments. */
export const withdrawnBooksCleanupJob = ({ database }: Services): Job => ({
  name: WITHDRAWN_BOOKS_JOB,
  schedule: '52 3 * * *',
  run: () => runCleanups(database, [deleteWithdrawnClassBooks, deleteWithdrawnPupilBooks]),
});
