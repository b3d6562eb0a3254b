import { removeOldChanges } from '../audit/audit-log.queries.ts';
import { removeOldTokens } from '../auth/one-time-tokens.queries.ts';
import { removeEndedSessions } from '../auth/sessions.queries.ts';
import { DAY_MS } from '../clock.ts';
import { inBatches } from '../database/batches.ts';
import type { Job } from '../jobs/queue.ts';
import { emptyOldMails, removeHeldMails, removeOldMails } from '../mail/outbox.queries.ts';
import { removeOldIdempotencyKeys } from './idempotency.queries.ts';
import type { Services } from './pipeline.ts';
import { removeOldAttempts } from './rate-limit.queries.ts';

/** How long is kept what a mail says that could not be delivered: longer than it is tried. */
const UNDELIVERED_TTL_MS = DAY_MS;
/** How long a mail waits for its sender's confirmed address: as long as an invite works. */
const HELD_MAIL_TTL_MS = 14 * DAY_MS;
/** How long is kept that there was a mail. */
const MAIL_TTL_MS = 90 * DAY_MS;
const AUDIT_LOG_MONTHS = 24;

/** The same time of day so many calendar months before. */
function monthsBefore(now: Date, months: number): Date {
  const date = new Date(now);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date;
}

/** Each night: forgets what has had its time. The whole table of it: docs/retention.md */
export const cleanupJob = ({ database, clock }: Services): Job => ({
  name: 'cleaning',
  schedule: '40 3 * * *',
  run: async () => {
    const now = clock.now();
    const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
    await inBatches(database, (db) => removeEndedSessions(db, now));
    await inBatches(database, (db) => removeOldIdempotencyKeys(db, now));
    await inBatches(database, (db) => removeOldAttempts(db, now));
    await inBatches(database, (db) => removeOldTokens(db, now));
    await inBatches(database, (db) => removeHeldMails(db, before(HELD_MAIL_TTL_MS)));
    await inBatches(database, (db) => emptyOldMails(db, before(UNDELIVERED_TTL_MS)));
    await inBatches(database, (db) => removeOldMails(db, before(MAIL_TTL_MS)));
    await inBatches(database, (db) => removeOldChanges(db, monthsBefore(now, AUDIT_LOG_MONTHS)));
  },
});
