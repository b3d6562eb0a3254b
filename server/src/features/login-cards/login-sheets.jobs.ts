import { runCleanups } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { deleteExpiredResets, deleteExpiredSheets } from './login-sheets.queries.ts';

/** Deletes expired login sheets and password resets each night. */
export const loginSheetCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'login-sheets-cleaning',
  schedule: '45 3 * * *',
  run: (_data, signal) => {
    const now = clock.now();
    return runCleanups(database, [(db) => deleteExpiredSheets(db, now), (db) => deleteExpiredResets(db, now)], signal);
  },
});
