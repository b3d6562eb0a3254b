import { calculateAccuracy } from '#contract/accuracy.ts';
import type { PresentLevel } from '#contract/calls/pupil-progress.ts';
import { listSchoolDays } from '#contract/school-calendar.ts';
import { addDays } from '../../clock.ts';
import type { SchoolDb } from '../../database/school.ts';
import { bucketOf, bucketsOf, bucketWidth } from '../dashboard/dashboard.public.ts';
import { getCalendar } from '../school/school.public.ts';
import {
  findPresentLevel,
  listCompletedTitles,
  listPupilWords,
  listReadingDays,
  type ReadingDay,
} from './pupil-progress.queries.ts';

/** On fewer words nothing is said about how a pupil reads. */
const FEWEST_WORDS = 100;

/** The level that a pupil reads on, and for how many school days; null for one who has never read. */
export async function describeLevel(db: SchoolDb, pupilId: number, today: string): Promise<PresentLevel | null> {
  const level = await findPresentLevel(db, pupilId);
  if (!level) return null;
  const days = listSchoolDays(await getCalendar(db), { from: level.since, to: addDays(today, -1) });
  return { ...level, school_days: days.length };
}

/** What a pupil read in one stretch of days. */
interface Stretch {
  /** Its first day. */
  day: string;
  /** Seconds. */
  reading_time: number;
  /** Per cent; null where no word was attempted. */
  accuracy: number | null;
}

/** What a page for a parents' evening tells of a pupil's reading. */
export interface PupilReport {
  bucket: 'day' | 'week' | 'month';
  stretches: Stretch[];
  /** Seconds. */
  reading_time: number;
  /** Per cent; null on fewer than 100 words. */
  accuracy: number | null;
  titles: string[];
  level: PresentLevel | null;
  words: string[];
}

const accuracyOf = (days: readonly ReadingDay[], fewest: number): number | null => {
  const attempted = sum(days, 'words_attempted');
  return attempted < fewest ? null : calculateAccuracy(sum(days, 'words_correct'), attempted);
};
const sum = (days: readonly ReadingDay[], column: Exclude<keyof ReadingDay, 'day'>): number =>
  days.reduce((total, day) => total + day[column], 0);

/** Adds up a pupil's days by day, week or month, as the charts do: every stretch of the range, those without reading too. */
export function addUpDays(
  days: readonly ReadingDay[],
  from: string,
  to: string,
): Pick<PupilReport, 'bucket' | 'stretches' | 'reading_time' | 'accuracy'> {
  const bucket = bucketWidth(from, to);
  const byBucket = Map.groupBy(days, ({ day }) => bucketOf(bucket, day));
  return {
    bucket,
    stretches: bucketsOf(bucket, from, to).map((day) => {
      const own = byBucket.get(day) ?? [];
      return { day, reading_time: sum(own, 'reading_time'), accuracy: accuracyOf(own, 1) };
    }),
    reading_time: sum(days, 'reading_time'),
    accuracy: accuracyOf(days, FEWEST_WORDS),
  };
}

/** Gathers what the page for a parents' evening tells of the days between two, both included. */
export async function makePupilReport(
  db: SchoolDb,
  pupilId: number,
  timeZone: string,
  { from, to, today }: { from: string; to: string; today: string },
): Promise<PupilReport> {
  return {
    ...addUpDays(await listReadingDays(db, pupilId, from, to), from, to),
    titles: await listCompletedTitles(db, pupilId, from, to),
    level: await describeLevel(db, pupilId, today),
    words: (await listPupilWords(db, pupilId, timeZone, from, to)).map(({ word }) => word),
  };
}
