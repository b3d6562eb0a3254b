import { classReadingCalls } from '#contract/calls/class-reading.ts';
import { pupilProgressCalls } from '#contract/calls/pupil-progress.ts';
import { termDateCalls } from '#contract/calls/term-dates.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readInSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { getSchoolRow } from '../../school/school/school.public.ts';
import { sumReadingHours } from './reading-hours.queries.ts';

const app = testApp();

const clockIn = (timeZone: string) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short', timeStyle: 'short', hourCycle: 'h23' });
const local = (timeZone: string, moment: string): { day: string; time: string } => {
  const parts = new Map(
    clockIn(timeZone)
      .formatToParts(new Date(moment))
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return { day: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
};

/** The half-terms of 2025/26, England's usual ones, written out. */
const TERMS = [
  ['2025-09-02', '2025-10-24'],
  ['2025-11-03', '2025-12-19'],
  ['2026-01-05', '2026-02-13'],
  ['2026-02-23', '2026-03-27'],
  ['2026-04-13', '2026-05-22'],
  ['2026-06-01', '2026-07-22'],
] as const;

interface Read {
  started_at: string;
  reading_time: number;
}

/** One session after another, as the glossary defines the figure. */
function sumSlowly(sessions: readonly Read[], timeZone: string, hours: { from: string; to: string }) {
  const sums = { in_school: 0, outside: 0 };
  for (const { started_at, reading_time } of sessions) {
    // Too short to count as reading.
    if (reading_time < 30) continue;
    const { day, time } = local(timeZone, started_at);
    const weekday = new Date(`${day}T12:00:00Z`).getUTCDay();
    const isSchoolDay =
      weekday !== 0 &&
      weekday !== 6 &&
      day !== '2026-05-04' &&
      TERMS.some(([first, last]) => day >= first && day <= last);
    if (isSchoolDay && time >= hours.from && time < hours.to) sums.in_school += reading_time;
    else sums.outside += reading_time;
  }
  return sums;
}

/** Days beside the ends of terms, the May bank holiday, weekends and the two changes of the clocks. */
const DAYS = (
  '2025-10-23 2025-10-24 2025-10-25 2025-10-26 2025-10-27 2025-11-02 2025-11-03 2025-12-19 2025-12-25 2026-01-05 ' +
  '2026-02-13 2026-02-16 2026-02-23 2026-03-27 2026-03-28 2026-03-29 2026-03-30 2026-04-13 2026-05-04 2026-05-05 ' +
  '2026-07-22'
).split(' ');
/** Times of day in UTC: minutes beside both ends of the usual and other hours, in summer and winter. */
const boundaryTimes = [7, 8, 9, 14, 15, 16].flatMap((hour) =>
  [29, 30, 44, 45, 46].map((minute) => `${String(hour).padStart(2, '0')}:${minute}`),
);

test.each([
  ['Europe/London', null],
  ['Europe/London', { from: '09:00', to: '16:00' }],
  ['Africa/Accra', { from: '07:30', to: '14:45' }],
] as const)(
  'reading in and out of school hours in %s with the hours %j is what a count of single sessions gives',
  async (timeZone, own) => {
    app.setTime('2026-08-01T12:00:00.000Z');
    const school = await app.build.school({ timeZone });
    if (own)
      await app.call(termDateCalls.updateSchoolHours, {
        params: { id: school.id },
        token: school.admin.token,
        body: { ...own },
      });
    const hours = own ?? { from: '08:45', to: '15:30' };
    const [ada = 0] = school.ownClass.pupils.map(({ id }) => id);
    const stored: Read[] = [];
    const session = fc.record({
      day: fc.constantFrom(...DAYS),
      time: fc.oneof(
        fc.constantFrom(...boundaryTimes),
        fc.integer({ min: 0, max: 1439 }).map((minute) => new Date(minute * 60_000).toISOString().slice(11, 16)),
      ),
      second: fc.constantFrom('00', '59'),
      reading_time: fc.oneof(fc.constantFrom(1, 29, 30), fc.integer({ min: 1, max: 3000 })),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(session, { minLength: 1, maxLength: 40 }),
        fc.constantFrom(...DAYS),
        fc.constantFrom(...DAYS),
        async (drafts, one, other) => {
          const added = drafts.map(({ day, time, second, reading_time }) => ({
            started_at: `${day}T${time}:${second}.000Z`,
            reading_time,
          }));
          await app.build.reading(school, ada, added);
          stored.push(...added);
          const [from = '', to = ''] = [one, other].toSorted();
          const sums = await readInSchool(app.database, school.id, async (db) =>
            sumReadingHours(db, { pupilId: ada }, await getSchoolRow(db), { from, to }),
          );
          const inRange = stored.filter(({ started_at }) => {
            const { day } = local(timeZone, started_at);
            return day >= from && day <= to;
          });
          expect(sums).toEqual(sumSlowly(inRange, timeZone, hours));
        },
      ),
      { numRuns: 12 },
    );
  },
  120_000,
);

test('the hours of a school day are compared with the local time, also in the weeks after the clocks change', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const school = await app.build.school();
  const [ada = 0] = school.ownClass.pupils.map(({ id }) => id);
  await app.build.reading(school, ada, [
    // Friday in summer time: 08:44 and 08:45; 15:29 and 15:30.
    { started_at: '2026-10-23T07:44:59.000Z', reading_time: 100 },
    { started_at: '2026-10-23T07:45:00.000Z', reading_time: 1000 },
    { started_at: '2026-10-23T14:29:59.000Z', reading_time: 10_000 },
    { started_at: '2026-10-23T14:30:00.000Z', reading_time: 50_000 },
    // Monday in winter time.
    { started_at: '2026-11-02T08:44:59.000Z', reading_time: 200 },
    { started_at: '2026-11-02T08:45:00.000Z', reading_time: 2000 },
    { started_at: '2026-11-02T15:29:59.000Z', reading_time: 20_000 },
    { started_at: '2026-11-02T15:30:00.000Z', reading_time: 70_000 },
    // Half-term, a Saturday.
    { started_at: '2026-10-28T10:00:00.000Z', reading_time: 80_000 },
    { started_at: '2026-11-07T10:00:00.000Z', reading_time: 40_000 },
  ]);
  const { reply } = await app.call(pupilProgressCalls.getPupilProgress, {
    params: { id: school.id, readerId: ada },
    query: { start_date: '2026-10-01', end_date: '2026-11-18' },
    token: school.teacher.token,
  });
  expect(reply.hours).toEqual({ in_school: 33_000, outside: 240_300 });
  const winter = await app.call(pupilProgressCalls.getPupilProgress, {
    params: { id: school.id, readerId: ada },
    query: { start_date: '2026-11-02', end_date: '2026-11-02' },
    token: school.teacher.token,
  });
  expect(winter.reply.hours).toEqual({ in_school: 22_000, outside: 70_200 });
});

test('a class has the hours of its current pupils in the last six weeks, which follow the school’s own hours', async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  const school = await app.build.school({ ownPupils: ['Ada', 'Ben'], otherPupils: ['Cleo'] });
  const [ada = 0, ben = 0] = school.ownClass.pupils.map(({ id }) => id);
  const [cleo = 0] = school.otherClass.pupils.map(({ id }) => id);
  // The last day before the six weeks and their first; before and after nine o’clock.
  await app.build.reading(school, ada, [
    { started_at: '2026-10-07T11:00:00.000Z', reading_time: 5000 },
    { started_at: '2026-10-08T11:00:00.000Z', reading_time: 60 },
    { started_at: '2026-11-18T08:50:00.000Z', reading_time: 37 },
  ]);
  await app.build.reading(school, ben, [{ started_at: '2026-11-17T18:00:00.000Z', reading_time: 300 }]);
  await app.build.reading(school, cleo, [{ started_at: '2026-11-17T11:00:00.000Z', reading_time: 9999 }]);
  const figures = async () => {
    const { reply } = await app.call(classReadingCalls.getClassReading, {
      params: { id: school.id, groupId: school.ownClass.id },
      token: school.teacher.token,
    });
    return [reply.reading.in_school_hours, reply.reading.outside_school_hours];
  };
  expect(await figures()).toEqual([97, 300]);
  const body = { from: '09:00', to: '15:15' };
  await app.call(termDateCalls.updateSchoolHours, { params: { id: school.id }, token: school.admin.token, body });
  expect(await figures()).toEqual([60, 337]);
});
