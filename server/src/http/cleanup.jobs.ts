import { inPlatform } from '../database/platform.ts';
import type { Job } from '../jobs/queue.ts';
import { removeOldIdempotencyKeys } from './idempotency.queries.ts';
import { removeOldTokens } from '../auth/one-time-tokens.queries.ts';
import type { Services } from './pipeline.ts';
import { removeOldAttempts } from './rate-limit.queries.ts';
import { removeEndedSessions } from '../auth/sessions.queries.ts';

/** Each night: forgets ended sessions, old idempotency keys, links and rate limits. */
export const cleanupJob = ({ database, clock }: Services): Job => ({
  name: 'cleaning',
  schedule: '40 3 * * *',
  run: () =>
    inPlatform(database, async (db) => {
      const now = clock.now();
      await removeEndedSessions(db, now);
      await removeOldIdempotencyKeys(db, now);
      await removeOldAttempts(db, now);
      await removeOldTokens(db, now);
    }),
});
