import type { programCalls } from '#contract/calls/programs.ts';
import type { QueryOf, ReplyOf } from '#contract/call.ts';
import type { StaffMember } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { encodeCursor, parseSince } from './cursor.service.ts';
import { type FeedSession, listDayTotals, listSessionsAfter } from './reading-feed.queries.ts';

/**
 * How long a session waits before it is in the feed. Its time of arrival is the start of its request, so one that commits
 * later can be before others in the order, and a program past its place would miss it. A request takes about seven
 * minutes at most: 60 s to arrive (`DEADLINES` in http/server.ts), five transactions that wait 5 s for a connection and 5 s
 * for a turn to write, fewer than 30 statements of 8 s, and a transaction that is idle for 60 s is ended (database.ts).
 */
export const SETTLING_MS = 10 * 60_000;

type Page = ReplyOf<typeof programCalls.listReading>;

/** A page of the sessions that a school received, in that order, with the daily totals that they changed. */
export async function getReadingPage(
  db: SchoolDb,
  me: StaffMember,
  { since, limit }: QueryOf<typeof programCalls.listReading>,
  now: Date,
): Promise<Page> {
  const start = parseSince(since, db.schoolId, now);
  const completeUntil = new Date(now.getTime() - SETTLING_MS);
  // One more shows whether there is another page.
  const found = await listSessionsAfter(db, me, start, completeUntil, limit + 1);
  const page = found.slice(0, limit);
  const visible = page.filter(({ is_visible }) => is_visible);
  const days = await listDayTotals(db, visible);
  const last = page.at(-1);
  return {
    sessions: visible.map(toSession),
    days: days.map(({ pupil_id, ...totals }) => ({ reader_id: pupil_id, ...totals })),
    meta: {
      // Without a session the place stays, so that the next call finds whatever arrives after it.
      next: encodeCursor(db.schoolId, last ? { receivedAt: last.received_us, sessionId: last.id } : start),
      has_more: found.length > limit,
      complete_until: completeUntil.toISOString(),
    },
  };
}

const toSession = ({
  pupil_id,
  started_at,
  received_at,
  received_us: _,
  is_visible: __,
  ...session
}: FeedSession): Page['sessions'][number] => ({
  ...session,
  reader_id: pupil_id,
  started_at: started_at.toISOString(),
  received_at: received_at.toISOString(),
});
