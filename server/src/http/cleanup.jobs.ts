import { deleteOldChanges } from '../audit/audit-log.queries.ts';
import { deleteExpiredTokens } from '../auth/one-time-tokens.queries.ts';
import { deleteExpiredSessions, deleteIdleSessions } from '../auth/sessions.queries.ts';
import { DAY_MS } from '../clock.ts';
import { type Cleanup, runCleanups } from '../database/batches.ts';
import type { Job } from '../jobs/queue.ts';
import { emptyOldMails, deleteHeldMails, deleteOldMails } from '../mail/outbox.queries.ts';
import { deleteOldIdempotencyKeys } from './idempotency.queries.ts';
import type { Services } from './pipeline.ts';
import { deleteExpiredLimits } from './rate-limit.queries.ts';

/** How long the content of an undelivered mail is retained: longer than it is tried. */
const UNDELIVERED_TTL_MS = DAY_MS;
/** How long a mail waits for its sender's address to be confirmed: as long as an invite is valid. */
const HELD_MAIL_TTL_MS = 14 * DAY_MS;
/** How long the record of a mail is retained. */
const MAIL_TTL_MS = 90 * DAY_MS;
const AUDIT_LOG_MONTHS = 24;

/** The same time of day a number of calendar months earlier. */
function monthsBefore(now: Date, months: number): Date {
  const date = new Date(now);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date;
}

/** Each night: deletes what is past its retention period. docs/retention.md lists all of it. */
export const cleanupJob = ({ database, clock }: Services): Job => ({
  name: 'cleaning',
  schedule: '40 3 * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
    const cleanups: Cleanup[] = [
      (db) => deleteExpiredSessions(db, now),
      (db) => deleteIdleSessions(db, now),
      (db) => deleteOldIdempotencyKeys(db, now),
      (db) => deleteExpiredLimits(db, now),
      (db) => deleteExpiredTokens(db, now),
      (db) => deleteHeldMails(db, before(HELD_MAIL_TTL_MS)),
      (db) => emptyOldMails(db, before(UNDELIVERED_TTL_MS)),
      (db) => deleteOldMails(db, before(MAIL_TTL_MS)),
      (db) => deleteOldChanges(db, monthsBefore(now, AUDIT_LOG_MONTHS)),
    ];
    await runCleanups(database, cleanups, signal);
  },
});
