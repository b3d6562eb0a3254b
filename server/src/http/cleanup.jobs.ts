import { deleteOldChanges } from '../audit/audit-log.queries.ts';
import { deleteExpiredTokens } from '../auth/one-time-tokens.queries.ts';
import { deleteExpiredSessions, deleteIdleSessions } from '../auth/sessions.queries.ts';
import { DAY_MS } from '../clock.ts';
import { runCleanups } from '../database/batches.ts';
import type { Job } from '../jobs/queue.ts';
import { emptyOldMails, deleteHeldMails, deleteOldMails } from '../mail/outbox.queries.ts';
import { deleteOldIdempotencyKeys } from './idempotency.queries.ts';
import type { Services } from './pipeline.ts';
import { deleteExpiredLimits } from './rate-limit.queries.ts';

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

/** Each night: deletes what is past its retention period, all of which are listed in docs/retention.md. */
export const cleanupJob = ({ database, clock }: Services): Job => ({
  name: 'cleaning',
  schedule: '40 3 * * *',
  run: async () => {
    const now = clock.now();
    const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
    await runCleanups(database, [
      (db) => deleteExpiredSessions(db, now),
      (db) => deleteIdleSessions(db, now),
      (db) => deleteOldIdempotencyKeys(db, now),
      (db) => deleteExpiredLimits(db, now),
      (db) => deleteExpiredTokens(db, now),
      (db) => deleteHeldMails(db, before(HELD_MAIL_TTL_MS)),
      (db) => emptyOldMails(db, before(UNDELIVERED_TTL_MS)),
      (db) => deleteOldMails(db, before(MAIL_TTL_MS)),
      (db) => deleteOldChanges(db, monthsBefore(now, AUDIT_LOG_MONTHS)),
    ]);
  },
});
