import { calculateAccuracy, MIN_WORDS } from '#contract/accuracy.ts';
import type { CurrentLevel, PupilWord } from '#contract/calls/pupil-progress.ts';
import { listSchoolDays } from '#contract/school-calendar.ts';
import { addDays } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { bucketOf, bucketsOf, bucketWidth } from '../dashboard/dashboard.public.ts';
import { getCalendar } from '../../school/school/school.public.ts';
import { findLevelWithStart, listCompletedTitles, listReadingDays, type ReadingDay } from './pupil-progress.queries.ts';

/** The level that a pupil reads at, and for how many school days; null for a pupil who has never read. */
export async function describeLevel(db: SchoolDb, pupilId: number, today: string): Promise<CurrentLevel | null> {
  const level = await findLevelWithStart(db, pupilId);
  if (!level) return null;
  const days = listSchoolDays(await getCalendar(db), { from: level.since, to: addDays(today, -1) });
  return { ...level, school_days: days.length };
}

/** A pupil's reading in one day, week or month. */
interface BucketFigures {
  /** Its first day. */
  day: string;
  /** Seconds. */
  reading_time: number;
  /** Per cent; null where no word was attempted. */
  accuracy: number | null;
}

/** The content of a pupil's page for a parents' evening. */
export interface PupilReport {
  bucket: 'day' | 'week' | 'month';
  buckets: BucketFigures[];
  /** Seconds. */
  reading_time: number;
  /** Per cent; null on fewer than 100 words. */
  accuracy: number | null;
  titles: string[];
  level: CurrentLevel | null;
  words: string[];
}

const accuracyOf = (days: readonly ReadingDay[], minWords: number): number | null => {
  const attempted = sum(days, 'words_attempted');
  return attempted < minWords ? null : calculateAccuracy(sum(days, 'words_correct'), attempted);
};
const sum = (days: readonly ReadingDay[], column: Exclude<keyof ReadingDay, 'day'>): number =>
  days.reduce((total, day) => total + day[column], 0);

/** Sums a pupil's days by day, week or month, as the charts do, including those without reading. */
export function sumByBucket(
  days: readonly ReadingDay[],
  from: string,
  to: string,
): Pick<PupilReport, 'bucket' | 'buckets' | 'reading_time' | 'accuracy'> {
  const bucket = bucketWidth(from, to);
  const byBucket = Map.groupBy(days, ({ day }) => bucketOf(bucket, day));
  return {
    bucket,
    buckets: bucketsOf(bucket, from, to).map((day) => {
      const bucketDays = byBucket.get(day) ?? [];
      return { day, reading_time: sum(bucketDays, 'reading_time'), accuracy: accuracyOf(bucketDays, 1) };
    }),
    reading_time: sum(days, 'reading_time'),
    accuracy: accuracyOf(days, MIN_WORDS),
  };
}

/** Builds a pupil's page for a parents' evening. Days are both included. */
export async function buildPupilReport(
  db: SchoolDb,
  pupilId: number,
  words: readonly PupilWord[],
  { from, to, today }: { from: string; to: string; today: string },
): Promise<PupilReport> {
  return {
    ...sumByBucket(await listReadingDays(db, pupilId, from, to), from, to),
    titles: await listCompletedTitles(db, pupilId, from, to),
    level: await describeLevel(db, pupilId, today),
    words: words.map(({ word }) => word),
  };
}
