import { DAY_MS } from '../../clock.ts';
import { runCleanups } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { deleteOldInvites } from './membership.queries.ts';

/** How long an invite is retained after it could no longer be accepted. */
const INVITE_RETENTION_MS = 365 * DAY_MS;

/** Each night: deletes invites that ended long ago. */
export const inviteCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'invites-cleaning',
  schedule: '50 3 * * *',
  run: (_data, signal) =>
    runCleanups(
      database,
      [(db) => deleteOldInvites(db, new Date(clock.now().getTime() - INVITE_RETENTION_MS))],
      signal,
    ),
});
