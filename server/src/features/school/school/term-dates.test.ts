import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { termDateCalls } from '#contract/calls/term-dates.ts';
import { usualYear } from '#contract/school-calendar.ts';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { params: { id: number }; token: string };
beforeAll(async () => {
  school = await app.build.school();
  admin = { params: { id: school.id }, token: school.admin.token };
});

const usual = (year: number) => usualYear(year).map(({ from, to }) => ({ first_day: from, last_day: to }));
const years = async (token = school.teacher.token) =>
  (await app.call(termDateCalls.listTermDates, { ...admin, token })).reply.years;
const newTerms = usual(2026);
newTerms[0] = { first_day: '2026-09-03', last_day: '2026-10-16' };

test('term dates are the defaults for three years until an admin sets others', async () => {
  expect(await years()).toEqual(
    [2025, 2026, 2027].map((year) => ({ academic_year: year, is_own: false, half_terms: usual(year), days_off: [] })),
  );
  const saved = await app.call(termDateCalls.updateTermDates, {
    ...admin,
    body: { academic_year: 2026, half_terms: newTerms },
  });
  expect(saved.reply.years[1]).toEqual({ academic_year: 2026, is_own: true, half_terms: newTerms, days_off: [] });
  expect(await years()).toEqual(saved.reply.years);
  const otherSchool = await app.build.school();
  const there = await app.call(termDateCalls.listTermDates, {
    params: { id: otherSchool.id },
    token: otherSchool.admin.token,
  });
  expect(there.reply.years[1]?.is_own).toBe(false);
});

test('term dates are replaced as a whole, retained for past years, and reset to the defaults', async () => {
  const give = (academic_year: number) =>
    app.call(termDateCalls.updateTermDates, { ...admin, body: { academic_year, half_terms: usual(academic_year) } });
  await give(2026);
  await give(2026);
  await give(2019);
  expect((await years()).map(({ academic_year, is_own }) => [academic_year, is_own])).toEqual([
    [2019, true],
    [2025, false],
    [2026, true],
    [2027, false],
  ]);
  const remove = { ...admin, params: { id: school.id, academicYear: 2019 } };
  expect((await app.call(termDateCalls.removeTermDates, remove)).status).toBe(200);
  expect((await app.call(termDateCalls.removeTermDates, remove)).status).toBe(200);
  expect((await years()).map(({ academic_year }) => academic_year)).toEqual([2025, 2026, 2027]);
  const { entries } = (await app.call(schoolCalls.listAuditLog, { ...admin, query: {} })).reply;
  expect(entries.slice(0, 2).map(({ action, details }) => [action, details.year])).toEqual([
    ['term_dates_removed', '2019/20'],
    ['term_dates_changed', '2019/20'],
  ]);
});

const wrong = (half: number, change: object) => ({
  academic_year: 2026,
  half_terms: usual(2026).map((days, index) => (index === half ? { ...days, ...change } : days)),
});
test.each([
  ['backwards', wrong(0, { last_day: '2026-09-01' }), 'half_terms.0.last_day', 'must not be before its first day'],
  ['overlapping', wrong(1, { first_day: '2026-10-20' }), 'half_terms.1.first_day', 'begins before Autumn 1 has ended'],
  ['with a gap', wrong(1, { first_day: '2026-12-01' }), 'half_terms.1.first_day', 'more than 5 weeks without school'],
  ['of another year', wrong(5, { last_day: '2027-09-03' }), 'half_terms.5.last_day', 'from 1 September 2026'],
  ['without a day', wrong(3, { first_day: '' }), 'half_terms.3.first_day', 'Enter the first day'],
  [
    'of a day that does not exist',
    wrong(3, { first_day: '2027-02-29' }),
    'half_terms.3.first_day',
    'Enter the first day',
  ],
  ['of five halves', { academic_year: 2026, half_terms: usual(2026).slice(1) }, 'half_terms', 'all six'],
])('term dates %s are rejected with a message, and nothing is changed', async (_, payload, field, words) => {
  const before = await years();
  const { status, error } = await app.ask('POST', `/enterprises/${school.id}/term-dates`, {
    token: admin.token,
    payload,
  });
  expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
  expect(error.errors?.[field]?.[0]).toContain(words);
  expect(await years()).toEqual(before);
});

test('a teacher can read but not change term dates', async () => {
  const body = { academic_year: 2026, half_terms: newTerms };
  const rejected = await app.call(termDateCalls.updateTermDates, { ...admin, token: school.teacher.token, body });
  expect(rejected.status).toBe(403);
});

const hours = async (token = school.teacher.token) =>
  (await app.call(termDateCalls.getSchoolHours, { ...admin, token })).reply.hours;

test('school hours are the usual ones until an admin sets others, which the audit log records', async () => {
  expect(await hours()).toEqual({ from: '08:45', to: '15:30', is_own: false });
  const body = { from: '09:00', to: '15:15' };
  const saved = await app.call(termDateCalls.updateSchoolHours, { ...admin, body });
  expect(saved.reply.hours).toEqual({ ...body, is_own: true });
  expect(await hours()).toEqual({ ...body, is_own: true });
  const { entries } = (await app.call(schoolCalls.listAuditLog, { ...admin, query: {} })).reply;
  expect(entries[0]).toMatchObject({ action: 'school_hours_changed', details: { starts: '09:00', ends: '15:15' } });
  const otherSchool = await app.build.school();
  const there = await app.call(termDateCalls.getSchoolHours, {
    params: { id: otherSchool.id },
    token: otherSchool.admin.token,
  });
  expect(there.reply.hours.is_own).toBe(false);
});

test.each([
  ['that begin too early', { from: '05:59', to: '15:30' }, { from: ['School hours are between 06:00 and 20:00.'] }],
  ['that end too late', { from: '08:45', to: '20:01' }, { to: ['School hours are between 06:00 and 20:00.'] }],
  ['of 59 minutes', { from: '08:45', to: '09:44' }, { to: ['School ends at least one hour after it starts.'] }],
  ['without a start', { to: '15:30' }, { from: ['Enter the time at which school starts, such as 08:45.'] }],
  [
    'with a time that does not exist',
    { from: '08:45', to: '15:60' },
    { to: ['Enter the time at which school ends, such as 08:45.'] },
  ],
])('school hours %s are rejected with a message, and nothing is changed', async (_, payload, errors) => {
  const before = await hours();
  const { status, error } = await app.ask('POST', `/enterprises/${school.id}/school-hours`, {
    token: admin.token,
    payload,
  });
  expect([status, error.errors]).toEqual([422, errors]);
  expect(await hours()).toEqual(before);
});

test.each([
  { from: '06:00', to: '07:00' },
  { from: '19:00', to: '20:00' },
])('school hours from $from to $to are accepted', async (body) => {
  expect((await app.call(termDateCalls.updateSchoolHours, { ...admin, body })).status).toBe(200);
});

test('a teacher can read but not change school hours', async () => {
  const body = { from: '09:00', to: '15:15' };
  const rejected = await app.call(termDateCalls.updateSchoolHours, { ...admin, token: school.teacher.token, body });
  expect(rejected.status).toBe(403);
});

const saveDaysOff = (days: string[], academic_year = 2026, token = school.admin.token) =>
  app.call(termDateCalls.updateDaysOff, { ...admin, token, body: { academic_year, days } });
const daysOffOf = async (year: number) => (await years()).find(({ academic_year }) => academic_year === year)?.days_off;

test('an admin enters days without school, which the audit log records, and removes them', async () => {
  const saved = await saveDaysOff(['2026-11-27', '2027-01-05']);
  expect(saved.status).toBe(200);
  expect(await daysOffOf(2026)).toEqual(['2026-11-27', '2027-01-05']);
  expect(await daysOffOf(2025)).toEqual([]);
  await saveDaysOff(['2025-09-03'], 2025);
  expect(await daysOffOf(2026)).toEqual(['2026-11-27', '2027-01-05']);
  await saveDaysOff([]);
  expect([await daysOffOf(2025), await daysOffOf(2026)]).toEqual([['2025-09-03'], []]);
  const { entries } = (await app.call(schoolCalls.listAuditLog, { ...admin, query: {} })).reply;
  expect(entries.slice(0, 3).map(({ action, details }) => [action, details.year, details.days])).toEqual([
    ['days_off_changed', '2026/27', 0],
    ['days_off_changed', '2025/26', 1],
    ['days_off_changed', '2026/27', 2],
  ]);
});

test.each([
  ['at a weekend', ['2026-11-22'], 'days.0', 'is at a weekend'],
  ['in the holidays', ['2026-11-24', '2026-12-28'], 'days.1', 'is in the holidays'],
  ['twice', ['2026-11-24', '2026-11-24'], 'days', 'on the list already'],
  [
    'more than twenty times a year',
    Array.from({ length: 21 }, (_, index) => `2026-11-${String(index + 2).padStart(2, '0')}`),
    'days',
    'at most 20',
  ],
  ['on a day that does not exist', ['2027-02-29'], 'days.0', 'Enter a day'],
])('a day without school %s is rejected with a message, and nothing is changed', async (_, days, field, words) => {
  const before = await years();
  const { status, error } = await app.ask('POST', `/enterprises/${school.id}/days-off`, {
    token: admin.token,
    payload: { academic_year: 2026, days },
  });
  expect([status, Object.keys(error.errors ?? {})]).toEqual([422, [field]]);
  expect(error.errors?.[field]?.[0]).toContain(words);
  expect(await years()).toEqual(before);
});

test('a day without school that the term dates no longer cover stays until it is removed', async () => {
  const other = await app.build.school();
  const at = { params: { id: other.id }, token: other.admin.token };
  const save = (days: string[]) =>
    app.call(termDateCalls.updateDaysOff, { ...at, body: { academic_year: 2026, days } });
  await save(['2026-10-19']);
  const body = { academic_year: 2026, half_terms: newTerms };
  expect((await app.call(termDateCalls.updateTermDates, { ...at, body })).status).toBe(200);
  expect((await save(['2026-10-19', '2026-11-24'])).status).toBe(200);
  expect((await save(['2026-11-24'])).status).toBe(200);
  expect((await save(['2026-10-19'])).status).toBe(422);
});

test('a teacher can read but not change days without school', async () => {
  expect((await saveDaysOff(['2026-11-24'], 2026, school.teacher.token)).status).toBe(403);
});

test('a school in Scotland has the dates of Scotland and can enter a first day in August', async () => {
  const scottish = await app.build.school();
  const at = { params: { id: scottish.id }, token: scottish.admin.token };
  const halves = usualYear(2026, 'scotland').map(({ from, to }) => ({ first_day: from, last_day: to }));
  halves[0] = { first_day: '2026-08-17', last_day: '2026-10-09' };
  const save = () =>
    app.call(termDateCalls.updateTermDates, { ...at, body: { academic_year: 2026, half_terms: halves } });
  const early = await save();
  expect(early.error.errors).toEqual({
    'half_terms.0.first_day': ['The academic year 2026/27 runs from 1 September 2026 to 31 August 2027.'],
  });
  await app.call(schoolDetailsCalls.updateSchool, { ...at, body: { nation: 'scotland' } });
  const listed = (await app.call(termDateCalls.listTermDates, at)).reply.years;
  expect(listed[1]?.half_terms[0]?.first_day).toBe('2026-08-12');
  expect((await save()).reply.years[1]).toMatchObject({ is_own: true, half_terms: halves });
});
