import { isReading } from '#contract/is-reading.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';

/*
 * How reading time, words and completed books are counted: the transaction that stores a session adds it to its day, and
 * charts read these totals alone. A session that is no reading only completes its book. The reading app measures the time: it stops counting after 60 seconds without activity.
 */

/** A newly stored session. */
export interface CountedSession {
  /** The day on which it began, in the school's time zone. */
  day: string;
  started_at: Date;
  book_id: number;
  reading_level: number;
  /** Active seconds. */
  reading_time: number;
  words_attempted: number;
  words_correct: number;
  has_completed_book: boolean;
}

/**
 * Adds new sessions of a pupil to the totals of the pupil, to those of the school, to the completed books and to the
 * latest reading. The school's totals are last, because sessions of all its pupils wait for their rows.
 */
export async function addToDailyTotals(db: SchoolDb, pupilId: number, added: readonly CountedSession[]): Promise<void> {
  const read = added.filter(isReading);
  const totals = sumByDay(read);
  const completed = new Map(
    added
      .filter(({ has_completed_book }) => has_completed_book)
      .map(({ day, book_id, reading_level }) => [`${day} ${book_id}`, { day, book_id, reading_level }]),
  );
  const latest = new Date(Math.max(...read.map(({ started_at }) => started_at.getTime())));
  await Promise.all([
    read.length > 0 &&
      db.tx
        .insertInto('reading_days')
        .values(totals.map((total) => ({ school_id: db.schoolId, pupil_id: pupilId, ...total })))
        .onConflict((conflict) =>
          conflict.columns(['school_id', 'pupil_id', 'day', 'reading_level']).doUpdateSet(increase('reading_days')),
        )
        .execute(),
    completed.size > 0 &&
      db.tx
        .insertInto('book_completions')
        .values([...completed.values()].map((book) => ({ school_id: db.schoolId, pupil_id: pupilId, ...book })))
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    read.length > 0 &&
      db.tx
        .updateTable('pupils')
        .set({ last_read_at: sql<Date>`greatest(last_read_at, ${latest}::timestamptz)` })
        .where('school_id', '=', db.schoolId)
        .where('id', '=', pupilId)
        .execute(),
    read.length > 0 &&
      db.tx
        .insertInto('school_reading_days')
        .values(totals.map((total) => ({ school_id: db.schoolId, ...total })))
        .onConflict((conflict) =>
          conflict.columns(['school_id', 'day', 'reading_level']).doUpdateSet(increase('school_reading_days')),
        )
        .execute(),
  ]);
}

/** Adds the inserted figures to those of the existing row. */
function increase(table: 'reading_days' | 'school_reading_days') {
  const add = (column: string) => sql<number>`${sql.ref(`${table}.${column}`)} + ${sql.ref(`excluded.${column}`)}`;
  return {
    reading_time: add('reading_time'),
    words_attempted: add('words_attempted'),
    words_correct: add('words_correct'),
  };
}

/** Figures of one day at one reading level. */
interface DayTotals {
  day: string;
  reading_level: number;
  reading_time: number;
  words_attempted: number;
  words_correct: number;
}

/** The sums of sessions by day and reading level, in that order. */
function sumByDay(sessions: readonly CountedSession[]): DayTotals[] {
  const sums = new Map<string, DayTotals>();
  for (const { day, reading_level, reading_time, words_attempted, words_correct } of sessions) {
    const key = `${day} ${String(reading_level).padStart(2, '0')}`;
    const sum = sums.get(key) ?? { day, reading_level, reading_time: 0, words_attempted: 0, words_correct: 0 };
    sum.reading_time += reading_time;
    sum.words_attempted += words_attempted;
    sum.words_correct += words_correct;
    sums.set(key, sum);
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
}
