import { setImmediate } from 'node:timers/promises';
import { type IntakeSession, intakeSession, MAX_FAULT } from '#contract/calls/reading-app.ts';
import type { z } from 'zod';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { saveTablet } from '../../school/tablets/tablets.public.ts';
import { countEvent } from '../../../logging/event-counts.ts';
import { type BatchOrigin, placeStart, readClock } from './session-clock.service.ts';
import { countHeardWords } from './word-days.service.ts';
import { findBooks, insertSessions, type ValidSession } from './session-intake.queries.ts';

interface Intake {
  accepted: number;
  duplicates: number;
  rejected: { id: string | null; error: string }[];
}

/** The number of sessions validated before other requests get a turn. */
const SLICE_SIZE = 20;

/** A batch, validated as far as possible without the database. */
interface ParsedBatch {
  /** By ID in lower case. */
  sessions: Map<string, IntakeSession>;
  /** How many repeat the ID of another session in the batch. */
  repeated: number;
  rejected: Intake['rejected'];
}

/** Validates each session of a batch up to its first fault, yielding to other requests between slices. */
export async function parseSessions(batch: readonly unknown[]): Promise<ParsedBatch> {
  const rejected: Intake['rejected'] = [];
  const sessions = new Map<string, IntakeSession>();
  let repeated = 0;
  for (const [index, given] of batch.entries()) {
    if (index > 0 && index % SLICE_SIZE === 0) await setImmediate();
    const parsed = intakeSession.safeParse(given);
    if (!parsed.success) rejected.push({ id: idOf(given), error: firstFault(parsed.error) });
    else if (sessions.has(parsed.data.id.toLowerCase())) repeated += 1;
    else sessions.set(parsed.data.id.toLowerCase(), parsed.data);
  }
  return { sessions, repeated, rejected };
}

/**
 * Stores a batch of a pupil's sessions, and adds the new ones to the daily totals.
 * A session whose ID is stored already, or repeated in the batch, is a duplicate.
 * @param origin the tablet that sent the batch and the time on it, as far as it says
 * @param whenGone the error for a pupil who was archived or erased since the request began
 */
export async function ingestSessions(
  db: SchoolDb,
  pupilId: number,
  { sessions, repeated, rejected: unreadable }: ParsedBatch,
  now: Date,
  // A pupil's token ends with the pupil.
  whenGone: 'unauthorised' | 'pupil_not_found' = 'unauthorised',
  origin: BatchOrigin = {},
): Promise<Intake> {
  const clock = readClock(origin, now);
  const rejected = [...unreadable];
  const books = await findBooks(db, [...new Set([...sessions.values()].map((session) => session.book_id))]);
  const valid: ValidSession[] = [];
  for (const [id, session] of sessions) {
    const book = books.get(session.book_id);
    const fault = book ? validationError(session, book.pages_count) : 'There is no book with this book_id.';
    if (fault || !book) rejected.push({ id: session.id, error: fault ?? '' });
    else
      valid.push({
        ...session,
        id,
        has_words: session.words !== undefined,
        words: session.words && countHeardWords(session.words),
        reading_level: book.reading_level,
        ...placeStart(session, clock, now),
      });
  }
  const stored =
    valid.length > 0 ? await insertSessions(db, pupilId, valid, now) : { accepted: 0, taken: [], expired: [] };
  if (!stored) throw new AppError(whenGone);
  const { accepted, taken, expired } = stored;
  countEvent('reading_session_stored', accepted);
  if (origin.device_id && clock)
    await saveTablet(db, { deviceId: origin.device_id, difference: clock.difference, pupilId }, now);
  for (const id of taken) rejected.push({ id, error: 'Another pupil has a session with this id. Generate a new one.' });
  for (const id of expired) rejected.push({ id, error: 'Your school no longer keeps sessions of that time.' });
  return { accepted, duplicates: repeated + valid.length - accepted - taken.length - expired.length, rejected };
}

function validationError(session: IntakeSession, pages: number): string | undefined {
  if (session.last_page > pages) return `last_page is ${session.last_page}, but the book has ${pages} pages.`;
  if (session.heatmap.length > pages) return `heatmap has ${session.heatmap.length} pages, but the book has ${pages}.`;
  if (session.has_completed_book && session.last_page !== pages)
    return `A completed book must end on its last page, ${pages}.`;
  return undefined;
}

function idOf(given: unknown): string | null {
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
  return typeof id === 'string' ? id.slice(0, 100) : null;
}

function firstFault({ issues: [issue] }: z.ZodError): string {
  const path = issue?.path.join('.');
  return `${path ? `${path}: ` : ''}${issue?.message ?? 'This is not a session.'}`.slice(0, MAX_FAULT);
}
