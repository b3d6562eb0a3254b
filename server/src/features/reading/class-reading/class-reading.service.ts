import { recentDays } from '#contract/accuracy.ts';
import type { ClassReading } from '#contract/calls/class-reading.ts';
import { mondayOf, plusDays } from '#contract/school-calendar.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findCurrentLevel, listLevelTotals, measureAccuracy } from '../dashboard/dashboard.public.ts';
import type { SchoolRow } from '../../school/school/school.public.ts';
import { sumReadingHours } from '../reading-hours/reading-hours.public.ts';
import { listPupilReading } from './class-reading.queries.ts';

const WEEK_COUNT = 6;

/** The reading of a class's pupils: by week, the current one last, and their accuracy in the last six weeks. */
export async function describeClassReading(
  db: SchoolDb,
  classId: number,
  school: SchoolRow,
  now: Date,
): Promise<ClassReading> {
  const today = dayIn(school.time_zone, now);
  const monday = mondayOf(today);
  const weeks = Array.from({ length: WEEK_COUNT }, (_, index) => plusDays(monday, 7 * (index + 1 - WEEK_COUNT)));
  const [pupils, totals, hours] = await Promise.all([
    listPupilReading(db, classId, weeks, school.time_zone),
    listLevelTotals(db, { classId }, recentDays(today)),
    sumReadingHours(db, { classId }, school, recentDays(today)),
  ]);
  const totalsByPupil = Map.groupBy(totals, ({ pupil_id }) => pupil_id);
  const pupilReading = pupils.map(({ id, name, last_read_on, weeks: times }) => {
    const pupilTotals = totalsByPupil.get(id) ?? [];
    const { accuracy, words_attempted } = measureAccuracy(pupilTotals);
    return {
      id,
      name,
      last_read_on,
      reading_time_this_week: times?.at(-1) ?? 0,
      accuracy,
      words: words_attempted,
      reading_level: findCurrentLevel(pupilTotals)?.reading_level ?? null,
      weeks: times ?? weeks.map(() => 0),
    };
  });
  const { accuracy, words_attempted } = measureAccuracy(totals);
  return {
    weeks,
    readers: pupilReading,
    read_this_week: pupilReading.filter(({ last_read_on }) => last_read_on !== null && last_read_on >= monday).length,
    reading_time_this_week: pupilReading.reduce((sum, { reading_time_this_week }) => sum + reading_time_this_week, 0),
    accuracy,
    words: words_attempted,
    in_school_hours: hours.in_school,
    outside_school_hours: hours.outside,
  };
}
