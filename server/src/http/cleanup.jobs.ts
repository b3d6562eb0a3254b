import { onPlatform } from '../database/platform.ts';
import type { Job } from '../jobs/queue.ts';
import { removeOldKeys } from './idempotency.queries.ts';
import { removeOldLinks } from '../auth/one-time-tokens.queries.ts';
import type { Services } from './pipeline.ts';
import { removeOldTries } from './rate-limit.queries.ts';
import { removeEndedSessions } from '../auth/sessions.queries.ts';

/** Each night: forgets ended sessions, old idempotency keys, links and rate limits. */
export const cleaningJob = ({ database, clock }: Services): Job => ({
  name: 'cleaning',
  schedule: '40 3 * * *',
  run: () =>
    onPlatform(database, async (db) => {
      const now = clock.now();
      await removeEndedSessions(db, now);
      await removeOldKeys(db, now);
      await removeOldTries(db, now);
      await removeOldLinks(db, now);
    }),
});
