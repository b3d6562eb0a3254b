import type { OwnTerms } from '#contract/rights.ts';
import { type Calendar, calendarOf, type Days, type SchoolYear } from '#contract/school-calendar.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The half-terms that the school has set, by academic year. */
async function listOwnYears(db: SchoolDb): Promise<Record<number, SchoolYear>> {
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

/** The days without school that the school has entered, in order. */
export async function listDaysOff(db: SchoolDb): Promise<string[]> {
  const rows = await db.tx
    .selectFrom('days_off')
    .select('day')
    .where('school_id', '=', db.schoolId)
    .orderBy('day')
    .execute();
  return rows.map(({ day }) => day);
}

/** The school's nation, and the term dates and days without school that it has entered. */
export async function getOwnTerms(db: SchoolDb): Promise<OwnTerms> {
  const { nation } = await db.tx
    .selectFrom('schools')
    .select('nation')
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();
  return { years: await listOwnYears(db), nation, daysOff: await listDaysOff(db) };
}

/** The school's half-terms in any academic year: its own, or the usual ones of its nation; and its days without school. */
export async function getCalendar(db: SchoolDb): Promise<Calendar> {
  const { years, nation, daysOff } = await getOwnTerms(db);
  return calendarOf(years, nation, daysOff);
}

/** Replaces the days without school between two days, both included. */
export async function saveDaysOff(db: SchoolDb, { from, to }: Days, days: readonly string[]): Promise<void> {
  await db.tx
    .deleteFrom('days_off')
    .where('school_id', '=', db.schoolId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .execute();
  if (days.length > 0)
    await db.tx
      .insertInto('days_off')
      .values(days.map((day) => ({ school_id: db.schoolId, day })))
      .execute();
}

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
