import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { documentedAs, idInPath, text } from '../fields.ts';
import { HALF_TERMS, MAX_DAYS_OFF, termDateFaults, usualYear } from '../school-calendar.ts';
import { schoolHoursFaults, USUAL_HOURS } from '../school-hours.ts';

const FIRST_YEAR = 2017;
const LAST_YEAR = 2098;

const day = (which: string) => z.iso.date({ error: `Enter the ${which} day, such as 2026-09-02.`, abort: true });

/** The first and last day of a half-term, both school days. */
const halfTerm = z.strictObject({ first_day: day('first'), last_day: day('last') }).meta({ id: 'HalfTerm' });

/** The six half-terms of an academic year, in order. */
const halfTerms = z.array(halfTerm).length(HALF_TERMS.length, 'Enter the dates of all six half-terms.');

const academicYear = z.number().int().min(FIRST_YEAR).max(LAST_YEAR);

/**
 * An academic year, named by the year in which it starts. `is_own`: the school entered these dates; otherwise they are the
 * usual ones of its nation. `days_off`: days within them without school, such as INSET days, in order.
 */
const termDates = z
  .strictObject({
    academic_year: academicYear,
    is_own: z.boolean(),
    half_terms: halfTerms,
    days_off: z.array(z.iso.date()),
  })
  .meta({ id: 'TermDates' });
export type TermDates = z.infer<typeof termDates>;

/** The dates of one year, checked for overlaps and gaps. The server also checks the bounds of the school's nation. */
export const termDatesBody = z
  .object({ academic_year: academicYear, half_terms: halfTerms })
  .superRefine(({ academic_year: year, half_terms: halves }, context) => {
    const days = halves.map(({ first_day: from, last_day: to }) => ({ from, to }));
    for (const { half, end, text: message } of termDateFaults(year, days))
      context.addIssue({
        code: 'custom',
        path: ['half_terms', half, end === 'from' ? 'first_day' : 'last_day'],
        message,
      });
  });

/** The days without school of one year. */
export const daysOffBody = z.object({
  academic_year: academicYear,
  days: z
    .array(z.iso.date({ error: 'Enter a day, such as 2027-01-04.', abort: true }))
    .max(MAX_DAYS_OFF, `Enter at most ${MAX_DAYS_OFF} days without school a year.`)
    .refine((days) => new Set(days).size === days.length, 'This day is on the list already.'),
});

function timeOfDay(which: string) {
  const error = `Enter the time at which school ${which}, such as 08:45.`;
  return text(error, error).regex(/^([01]\d|2[0-3]):[0-5]\d$/, error);
}

/** The first and last minute of a school day, HH:MM in the school's time zone. */
const hours = { from: timeOfDay('starts'), to: timeOfDay('ends') };

/** `is_own`: the school entered these hours; otherwise they are the usual ones. */
const schoolHours = z.strictObject({ ...hours, is_own: z.boolean() }).meta({ id: 'SchoolHours' });
export type SchoolHours = z.infer<typeof schoolHours>;

export const schoolHoursBody = z.object(hours).superRefine((value, context) => {
  for (const { end, text: message } of schoolHoursFaults(value))
    context.addIssue({ code: 'custom', path: [end], message });
});

const inSchool = z.strictObject({ id: idInPath });
const ofYear = inSchool.extend({
  academicYear: text('This is not a year.')
    .regex(/^20\d\d$/, 'This is not a year.')
    .transform(Number)
    .pipe(academicYear)
    .register(documentedAs, { type: 'integer', minimum: FIRST_YEAR, maximum: LAST_YEAR }),
});

const exampleYear = usualYear(2026).map(({ from, to }) => ({ first_day: from, last_day: to }));

export const termDateCalls = defineCalls({
  listTermDates: {
    method: 'GET',
    path: '/enterprises/{id}/term-dates',
    tag: 'School',
    summary:
      'The half-terms of the previous, current and next academic year, and of all years that the school has entered',
    permission: 'view_school',
    area: 'settings',
    params: inSchool,
    reply: z.strictObject({ years: z.array(termDates) }),
  },

  updateTermDates: {
    method: 'POST',
    path: '/enterprises/{id}/term-dates',
    tag: 'School',
    summary: 'Set the half-terms of an academic year',
    description:
      'All six at once, in order, without overlaps or gaps longer than a holiday. The year runs from 1 September to 31 August; in Scotland from 1 August to 31 July.',
    permission: 'edit_school',
    area: 'settings',
    example: { body: { academic_year: 2026, half_terms: exampleYear } },
    params: inSchool,
    body: termDatesBody,
    reply: z.strictObject({ years: z.array(termDates) }),
  },

  removeTermDates: {
    method: 'DELETE',
    path: '/enterprises/{id}/term-dates/{academicYear}',
    tag: 'School',
    summary: 'Restore the usual half-terms of an academic year',
    permission: 'edit_school',
    area: 'settings',
    params: ofYear,
  },

  updateDaysOff: {
    method: 'POST',
    path: '/enterprises/{id}/days-off',
    tag: 'School',
    summary: 'Set the days without school in an academic year, such as INSET days',
    description: `Replaces the year’s list of at most ${MAX_DAYS_OFF} days. Each is a weekday within the half-terms. They are no school days, whichever half-terms the school has.`,
    permission: 'edit_school',
    area: 'settings',
    example: { body: { academic_year: 2026, days: ['2027-01-04'] } },
    params: inSchool,
    body: daysOffBody,
    reply: z.strictObject({ years: z.array(termDates) }),
  },

  getSchoolHours: {
    method: 'GET',
    path: '/enterprises/{id}/school-hours',
    tag: 'School',
    summary: 'The hours of a school day, which divide reading time into school and home',
    description: 'In the school’s time zone: from 08:45 to 15:30 until an admin sets others.',
    permission: 'view_school',
    area: 'settings',
    params: inSchool,
    reply: z.strictObject({ hours: schoolHours }),
  },

  updateSchoolHours: {
    method: 'POST',
    path: '/enterprises/{id}/school-hours',
    tag: 'School',
    summary: 'Set the hours of a school day',
    description: 'Between 06:00 and 20:00, at least one hour.',
    permission: 'edit_school',
    area: 'settings',
    example: { body: { ...USUAL_HOURS } },
    params: inSchool,
    body: schoolHoursBody,
    reply: z.strictObject({ hours: schoolHours }),
  },
});
