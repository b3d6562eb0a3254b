import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { FIRST_DAY } from '#contract/limits.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { today } from '../../../shared/school-day.ts';

/** A day of the week in the URL; undefined for the week that the server chooses. */
export function weekInUrl(query: URLSearchParams): string | undefined {
  const day = query.get('week') ?? '';
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && new Date(day).toString() !== 'Invalid Date';
  return isDay && day >= FIRST_DAY && day <= today() ? day : undefined;
}

/** How long each pupil of a class, or each class of a larger selection, read in one week. */
export const readingLineQuery = (schoolId: number, classId: number | undefined, week: string | undefined) =>
  apiQuery(classReadingCalls.getReadingLine, {
    params: { id: schoolId },
    query: { ...(classId !== undefined && { group_id: classId }), ...(week !== undefined && { week }) },
  });
