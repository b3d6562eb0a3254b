import { DAY_MS } from '../../clock.ts';
import { inBatches } from '../../database/batches.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { removeOldInvites } from './membership.queries.ts';

/** How long an invite is kept after it could no longer be accepted. */
const INVITE_KEPT_MS = 365 * DAY_MS;

/** Each night: forgets who was invited long ago. */
export const inviteCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'invites-cleaning',
  schedule: '50 3 * * *',
  run: () => inBatches(database, (db) => removeOldInvites(db, new Date(clock.now().getTime() - INVITE_KEPT_MS))),
});
