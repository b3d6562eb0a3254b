import { type IntakeSession, intakeSession } from '#contract/calls/reading-app.ts';
import { FIRST_DAY } from '#contract/fields.ts';
import { fieldErrors } from '#contract/validation.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { findBooks, type GoodSession, insertSessions } from './reading-app.queries.ts';

/** How far ahead a tablet's clock may be; such a session counts as of now. */
const CLOCK_AHEAD = 86_400_000;

interface Intake {
  accepted: number;
  duplicates: number;
  rejected: { id: string | null; error: string }[];
}

/**
 * Takes in a batch of a pupil's sessions. Each is judged for itself; new ones are stored together with the daily totals.
 * A session whose id was stored before, or comes twice in the batch, is a duplicate.
 */
export async function ingestSessions(
  db: SchoolDb,
  pupilId: number,
  batch: readonly unknown[],
  now: Date,
): Promise<Intake> {
  const rejected: Intake['rejected'] = [];
  const read = new Map<string, IntakeSession>();
  let repeated = 0;
  for (const given of batch) {
    const parsed = intakeSession.safeParse(given);
    if (!parsed.success) rejected.push({ id: idOf(given), error: sentence(fieldErrors(parsed.error)) });
    else if (read.has(parsed.data.id.toLowerCase())) repeated += 1;
    else read.set(parsed.data.id.toLowerCase(), parsed.data);
  }
  const books = await findBooks(db, [...new Set([...read.values()].map((session) => session.book_id))]);
  const good: GoodSession[] = [];
  for (const [id, session] of read) {
    const book = books.get(session.book_id);
    const fault = book ? faultOf(session, book.pages_count, now) : 'There is no book with this book_id.';
    if (fault || !book) rejected.push({ id: session.id, error: fault ?? '' });
    else good.push({ ...session, id, reading_level: book.reading_level, started_at: earlier(session.started_at, now) });
  }
  const stored = good.length > 0 ? await insertSessions(db, pupilId, good, now) : { accepted: 0, taken: [] };
  // Deleted since the request began: with the pupil goes the token.
  if (!stored) throw new AppError('unauthorised');
  const { accepted, taken } = stored;
  for (const id of taken)
    rejected.push({ id, error: 'This id belongs to a session of somebody else. Make a new one.' });
  return { accepted, duplicates: repeated + good.length - accepted - taken.length, rejected };
}

function faultOf(session: IntakeSession, pages: number, now: Date): string | undefined {
  const startedAt = Date.parse(session.started_at);
  if (startedAt < Date.parse(FIRST_DAY)) return 'started_at lies before 2018.';
  if (startedAt > now.getTime() + CLOCK_AHEAD) return 'started_at lies in the future. Check the clock of the device.';
  if (session.last_page > pages) return `last_page is ${session.last_page}, but the book has ${pages} pages.`;
  if (session.heatmap.length > pages) return `heatmap has ${session.heatmap.length} pages, but the book has ${pages}.`;
  if (session.has_completed_book && session.last_page !== pages)
    return `A completed book ends on its last page, ${pages}.`;
  return undefined;
}

/** The start in UTC: databases do not take every offset that ISO 8601 has. */
const earlier = (startedAt: string, now: Date): string =>
  new Date(Math.min(Date.parse(startedAt), now.getTime())).toISOString();

function idOf(given: unknown): string | null {
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
  return typeof id === 'string' ? id.slice(0, 100) : null;
}

const sentence = (errors: Record<string, string[]>): string =>
  Object.entries(errors)
    .map(([field, texts]) => (field ? `${field}: ${texts.join(' ')}` : texts.join(' ')))
    .join(' ');
