import { inPlatform } from '../../database/platform.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { removeOldSheets } from './login-sheets.queries.ts';

/** Each night: forgets the logins that could be fetched for a day. */
export const loginSheetCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'login-sheets-cleaning',
  schedule: '45 3 * * *',
  run: () => inPlatform(database, (db) => removeOldSheets(db, clock.now())),
});
