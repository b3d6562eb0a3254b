import { inPlatform, readInPlatform } from '../../../database/platform.ts';
import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { deleteExpiredRecoveries, listDueRecoveries } from './factor-recovery.queries.ts';
import { completeRecovery } from './factor-recovery.service.ts';

/** Removes the factors of accounts whose announced time has come, each in a transaction of its own. */
export const dueRecoveriesJob = ({ database, clock, config }: Services): Job => ({
  name: 'factor-recoveries',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    await inPlatform(database, (db) => deleteExpiredRecoveries(db, now));
    for (const userId of await readInPlatform(database, (db) => listDueRecoveries(db, now))) {
      if (signal?.aborted) return;
      await inPlatform(database, (db) => completeRecovery(db, userId, now, config));
    }
  },
});
