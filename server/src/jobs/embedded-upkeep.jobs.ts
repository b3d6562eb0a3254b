import { type Job, STATISTICS_JOB, VACUUM_JOB } from './queue.ts';
import type { Database } from '../database/database.ts';
import { refreshStatistics, vacuum } from '../database/table-statistics.ts';

/** What autovacuum does on a server. The embedded database has none. */
export const embeddedUpkeepJobs = ({ kysely, engine }: Database): Job[] =>
  engine.kind === 'server'
    ? []
    : [
        {
          name: STATISTICS_JOB,
          schedule: '* * * * *',
          retries: 0,
          run: async () => void (await refreshStatistics(kysely)),
        },
        { name: VACUUM_JOB, schedule: '20 3 * * *', run: () => vacuum(kysely) },
      ];
