import { recentDays } from '#contract/accuracy.ts';
import type { ReadingLine, WeekReader } from '#contract/calls/class-reading.ts';
import { academicYearOf, type Days, mondayOf, plusDays } from '#contract/school-calendar.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { fieldError } from '../../../errors.ts';
import type { ClassSelection } from '../dashboard/dashboard.public.ts';
import { chooseReadingWeeks } from '../reading-needs/reading-needs.public.ts';
import { getCalendar } from '../../school/school/school.public.ts';
import {
  listFirstBooks,
  listPupilWeeks,
  listWeekTimes,
  type PupilWeekRow,
  type WeekTime,
} from './reading-line.queries.ts';

/**
 * The reading of each pupil of a class, or of each class of a larger selection, in one week. A teacher of one class sees its pupils.
 * @param day any day of the week; without it, the week that the headline of the dashboard describes
 */
export async function describeReadingLine(
  db: SchoolDb,
  selection: ClassSelection,
  timeZone: string,
  now: Date,
  day?: string,
): Promise<ReadingLine> {
  const today = dayIn(timeZone, now);
  if (day !== undefined && day > today) throw fieldError('week', 'The week must have begun.');
  const week = day === undefined ? chooseReadingWeeks(await getCalendar(db), today).shown : weekOf(day, today);
  const yearStart = `${academicYearOf(week.from)}-09-01`;
  const [pupils, times, firstBooks] = await Promise.all([
    listPupilWeeks(db, selection, week, recentDays(week.to)),
    listWeekTimes(db, selection, { from: yearStart, to: week.to }),
    selection === 'school' ? [] : listFirstBooks(db, selection, week),
  ]);
  const isOneClass =
    selection !== 'school' && ('classId' in selection || new Set(pupils.map(({ class_id }) => class_id)).size === 1);
  return {
    ...week,
    is_current_week: week.from === mondayOf(today),
    of: isOneClass ? 'pupils' : 'classes',
    readers: isOneClass ? pupils.map(describePupil) : describeClasses(pupils),
    median_reading_time: findMedian(pupils.map(({ reading_time }) => reading_time)),
    is_best_week: isBestWeek(times, week.from),
    first_books: isOneClass ? firstBooks : [],
  };
}

function weekOf(day: string, today: string): Days {
  const from = mondayOf(day);
  const sunday = plusDays(from, 6);
  return { from, to: sunday < today ? sunday : today };
}

const describePupil = ({ id, name, has_read, reading_time, reading_level }: PupilWeekRow): WeekReader => ({
  id,
  name,
  pupils: 1,
  readers: has_read ? 1 : 0,
  reading_time,
  reading_level,
});

function describeClasses(pupils: readonly PupilWeekRow[]): WeekReader[] {
  const byClass = Map.groupBy(pupils, ({ class_id }) => class_id);
  const classes = [...byClass].map(([id, members]): WeekReader => ({
    id,
    name: members[0]?.class_name ?? 'No class',
    pupils: members.length,
    readers: members.filter(({ has_read }) => has_read).length,
    reading_time: members.reduce((sum, { reading_time }) => sum + reading_time, 0),
    reading_level: findMedianLevel(members.flatMap(({ reading_level }) => reading_level ?? [])),
  }));
  return classes.toSorted(
    (a, b) => Number(a.id === null) - Number(b.id === null) || a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
}

/** The middle value; the mean of the two in the middle. */
function findMedian(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[Math.ceil(sorted.length / 2) - 1];
  const high = sorted[Math.floor(sorted.length / 2)];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** A level that a pupil of the class has: the lower of the two in the middle. */
const findMedianLevel = (levels: readonly number[]): number | null =>
  levels.toSorted((a, b) => a - b)[Math.ceil(levels.length / 2) - 1] ?? null;

/** Fewer weeks say nothing about a best one. */
const MIN_EARLIER_WEEKS = 3;

function isBestWeek(times: readonly WeekTime[], monday: string): boolean {
  const thisWeek = times.find((week) => week.monday === monday)?.reading_time ?? 0;
  const earlier = times.filter((week) => week.monday < monday);
  return earlier.length >= MIN_EARLIER_WEEKS && earlier.every(({ reading_time }) => reading_time < thisWeek);
}
