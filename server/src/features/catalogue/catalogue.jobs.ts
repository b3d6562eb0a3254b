import { runCleanups } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { deleteWithdrawnClassBooks, deleteWithdrawnPupilBooks, WITHDRAWN_BOOKS_JOB } from './catalogue.queries.ts';

/** Deletes the assignments of withdrawn books, after a withdrawal and each night. */
export const withdrawnBooksCleanupJob = ({ database }: Services): Job => ({
  name: WITHDRAWN_BOOKS_JOB,
  schedule: '52 3 * * *',
  run: (_data, signal) => runCleanups(database, [deleteWithdrawnClassBooks, deleteWithdrawnPupilBooks], signal),
});
