import { calculateAccuracy } from '#contract/accuracy.ts';
import type { ClassReading } from '#contract/calls/class-reading.ts';
import { mondayOf, plusDays } from '#contract/school-calendar.ts';
import { dayIn } from '../../clock.ts';
import type { SchoolDb } from '../../database/school.ts';
import { listPupilReading } from './class-reading.queries.ts';

const WEEKS = 6;

const sum = <Row>(rows: readonly Row[], valueOf: (row: Row) => number): number =>
  rows.reduce((total, row) => total + valueOf(row), 0);

/** How the pupils of a class read in the last six weeks, this one included. */
export async function describeClassReading(
  db: SchoolDb,
  classId: number,
  timeZone: string,
  now: Date,
): Promise<ClassReading> {
  const monday = mondayOf(dayIn(timeZone, now));
  const weeks = Array.from({ length: WEEKS }, (_, index) => plusDays(monday, 7 * (index + 1 - WEEKS)));
  const rows = (await listPupilReading(db, classId, weeks, timeZone)).map((row) => ({
    ...row,
    attempted: row.words_attempted ?? 0,
    correct: row.words_correct ?? 0,
    weeks: row.weeks ?? weeks.map(() => 0),
  }));
  const thisWeek = (row: { weeks: readonly number[] }): number => row.weeks.at(-1) ?? 0;
  return {
    weeks,
    readers: rows.map((row) => ({
      id: row.id,
      name: row.name,
      last_read_on: row.last_read_on,
      reading_time_this_week: thisWeek(row),
      accuracy: calculateAccuracy(row.correct, row.attempted),
      words: row.attempted,
      reading_level: row.reading_level,
      weeks: row.weeks,
    })),
    read_this_week: rows.filter(({ last_read_on }) => last_read_on !== null && last_read_on >= monday).length,
    reading_time_this_week: sum(rows, thisWeek),
    accuracy: calculateAccuracy(
      sum(rows, ({ correct }) => correct),
      sum(rows, ({ attempted }) => attempted),
    ),
    words: sum(rows, ({ attempted }) => attempted),
  };
}
