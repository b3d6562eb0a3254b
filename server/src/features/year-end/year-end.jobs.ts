import { runCleanups } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { deleteOldYearEnds } from './year-end.queries.ts';
import { UNDO_MS } from './year-end.service.ts';

/** Deletes, each night, the year ends that can no longer be undone. */
export const yearEndCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'year-ends-cleaning',
  schedule: '58 3 * * *',
  run: (_data, signal) =>
    runCleanups(database, [(db) => deleteOldYearEnds(db, new Date(clock.now().getTime() - UNDO_MS))], signal),
});
