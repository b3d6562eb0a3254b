import { inPlatform, readInPlatform } from '../../database/platform.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { listDueEmailChanges } from './email-change.queries.ts';
import { completeDueEmailChange } from './email-change.service.ts';

/** Carries out confirmed changes of address whose day is over, each in a transaction of its own. */
export const dueEmailChangesJob = ({ database, clock, config }: Services): Job => ({
  name: 'email-changes',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    for (const userId of await readInPlatform(database, (db) => listDueEmailChanges(db, now))) {
      if (signal?.aborted) return;
      await inPlatform(database, (db) => completeDueEmailChange(db, userId, config, now));
    }
  },
});
