import { type Calendar, calendarOf, type Days, type SchoolYear } from '#contract/school-calendar.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The half-terms that the school has set, by academic year. */
export async function listOwnYears(db: SchoolDb): Promise<Record<number, SchoolYear>> {
  const rows = await db.tx
    .selectFrom('term_dates')
    .select(['academic_year', 'first_day', 'last_day'])
    .where('school_id', '=', db.schoolId)
    .orderBy('academic_year')
    .orderBy('half_term')
    .execute();
  const years: Record<number, Days[]> = {};
  for (const { academic_year, first_day, last_day } of rows)
    (years[academic_year] ??= []).push({ from: first_day, to: last_day });
  return years;
}

/** The school's half-terms in any academic year: its own, or the usual ones. */
export const getCalendar = async (db: SchoolDb): Promise<Calendar> => calendarOf(await listOwnYears(db));

/** Replaces the half-terms that the school has set for an academic year. */
export async function saveYear(db: SchoolDb, year: number, halves: SchoolYear): Promise<void> {
  await removeYear(db, year);
  await db.tx
    .insertInto('term_dates')
    .values(
      halves.map(({ from, to }, index) => ({
        school_id: db.schoolId,
        academic_year: year,
        half_term: index + 1,
        first_day: from,
        last_day: to,
      })),
    )
    .execute();
}

/** Deletes the half-terms that the school has set for an academic year; returns whether there were any. */
export async function removeYear(db: SchoolDb, year: number): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('term_dates')
    .where('school_id', '=', db.schoolId)
    .where('academic_year', '=', year)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
