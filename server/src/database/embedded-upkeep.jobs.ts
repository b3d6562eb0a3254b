import type { Job } from '../jobs/queue.ts';
import type { Database } from './database.ts';
import { refreshStatistics, vacuum } from './table-statistics.ts';

/** What autovacuum does on a server. The embedded database has none. */
export const embeddedUpkeepJobs = ({ kysely, engine }: Database): Job[] =>
  engine.kind === 'server'
    ? []
    : [
        {
          name: 'statistics',
          schedule: '* * * * *',
          retries: 0,
          run: async () => void (await refreshStatistics(kysely)),
        },
        { name: 'vacuum', schedule: '20 3 * * *', run: () => vacuum(kysely) },
      ];
