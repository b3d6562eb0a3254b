import type { SchoolHours, TermDates } from '#contract/calls/term-dates.ts';
import {
  academicYearName,
  findDayOffFault,
  type SchoolYear,
  termDateFaults,
  termYearDays,
  termYearOf,
  usualYear,
} from '#contract/school-calendar.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { recordChange } from '../../../audit/audit-log.queries.ts';
import { dayIn } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { hoursOf } from './school-hours.service.ts';
import { getSchoolRow, type SchoolRow, updateSchoolRow } from './school.queries.ts';
import { getOwnTerms, removeYear, saveDaysOff, saveYear } from './term-dates.queries.ts';

export const termDateHandlers = defineHandlers({
  listTermDates: {
    handle: async ({ db, now }) => ({ years: await describeYears(db, now) }),
  },
  updateTermDates: {
    handle: async ({ db, me, body, now }) => {
      // Two people who save the same year do so one after the other.
      await lockSchool(db);
      const halves = body.half_terms.map(({ first_day: from, last_day: to }) => ({ from, to }));
      const { nation } = await getOwnTerms(db);
      const faults = termDateFaults(body.academic_year, halves, termYearDays(body.academic_year, nation));
      if (faults.length > 0)
        throw new AppError('validation', {
          fields: Object.fromEntries(
            faults.map(({ half, end, text }) => [
              `half_terms.${half}.${end === 'from' ? 'first_day' : 'last_day'}`,
              [text],
            ]),
          ),
        });
      await saveYear(db, body.academic_year, halves);
      await recordChange(db, me, now, {
        action: 'term_dates_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { year: academicYearName(body.academic_year) },
      });
      return { years: await describeYears(db, now) };
    },
  },
  removeTermDates: {
    handle: async ({ db, me, params, now }) => {
      await lockSchool(db);
      if (await removeYear(db, params.academicYear))
        await recordChange(db, me, now, {
          action: 'term_dates_removed',
          subjectKind: 'school',
          subjectId: db.schoolId,
          details: { year: academicYearName(params.academicYear) },
        });
      return {};
    },
  },
  updateDaysOff: {
    handle: async ({ db, me, body: { academic_year: year, days }, now }) => {
      await lockSchool(db);
      const { years, nation, daysOff } = await getOwnTerms(db);
      const halves = years[year] ?? usualYear(year, nation);
      // A day that was entered before the term dates changed stays until it is removed.
      for (const [index, day] of days.entries()) {
        const fault = daysOff.includes(day) ? undefined : findDayOffFault(day, halves, nation);
        if (fault !== undefined) throw fieldError(`days.${index}`, fault);
      }
      await saveDaysOff(db, termYearDays(year, nation), days);
      await recordChange(db, me, now, {
        action: 'days_off_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { year: academicYearName(year), days: days.length },
      });
      return { years: await describeYears(db, now) };
    },
  },
  getSchoolHours: {
    handle: async ({ db }) => ({ hours: describeHours(await getSchoolRow(db)) }),
  },
  updateSchoolHours: {
    handle: async ({ db, me, body: { from, to }, now }) => {
      await lockSchool(db);
      const own = { hours_from: from, hours_to: to };
      await updateSchoolRow(db, own);
      await recordChange(db, me, now, {
        action: 'school_hours_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { starts: from, ends: to },
      });
      return { hours: describeHours(own) };
    },
  },
});

const describeHours = (school: Pick<SchoolRow, 'hours_from' | 'hours_to'>): SchoolHours => ({
  ...hoursOf(school),
  is_own: school.hours_from !== null,
});

/** The academic years from the last to the next, and those that the school has set, in order. */
async function describeYears(db: SchoolDb, now: Date): Promise<TermDates[]> {
  const { time_zone } = await getSchoolRow(db);
  const { years: ownYears, nation, daysOff } = await getOwnTerms(db);
  const currentYear = termYearOf(dayIn(time_zone, now), nation);
  const years = new Set([currentYear - 1, currentYear, currentYear + 1, ...Object.keys(ownYears).map(Number)]);
  return [...years]
    .sort((year, nextYear) => year - nextYear)
    .map((year) => ({
      academic_year: year,
      is_own: ownYears[year] !== undefined,
      half_terms: toHalfTerms(ownYears[year] ?? usualYear(year, nation)),
      days_off: daysOff.filter((day) => termYearOf(day, nation) === year),
    }));
}

const toHalfTerms = (year: SchoolYear) => year.map(({ from, to }) => ({ first_day: from, last_day: to }));
