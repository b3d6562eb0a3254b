import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatDate, formatTime } from './format.ts';
import { momentOnSchoolClock } from './school-clock.ts';

const moments = fc.date({ min: new Date('2018-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
const london = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'Europe/London' });
const dateOf = london({ day: 'numeric', month: 'long', year: 'numeric' });
const timeOf = london({ hour: '2-digit', minute: '2-digit', hour12: false });

it('every moment is formatted as by the browser’s formatters', () => {
  fc.assert(
    fc.property(moments, (moment) => {
      expect(formatDate(moment.toISOString())).toBe(dateOf.format(moment));
      expect(formatTime(moment.toISOString())).toBe(timeOf.format(moment));
    }),
  );
});

it.each([
  ['2026-03-29T00:59:59Z', '00:59'],
  ['2026-03-29T01:00:00Z', '02:00'],
  ['2026-10-25T00:59:59Z', '01:59'],
  ['2026-10-25T01:00:00Z', '01:00'],
])('changes the clock to the second: %s is %s', (moment, shown) => {
  expect(formatTime(moment)).toBe(shown);
});

it.each([
  ['2026-03-29', '00:30', '2026-03-29T00:30:00.000Z'],
  ['2026-03-29', '02:00', '2026-03-29T01:00:00.000Z'],
  ['2026-07-01', '15:30', '2026-07-01T14:30:00.000Z'],
  ['2026-10-25', '00:30', '2026-10-24T23:30:00.000Z'],
  ['2026-10-25', '01:30', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25', '02:00', '2026-10-25T02:00:00.000Z'],
  ['2026-11-27', '15:30', '2026-11-27T15:30:00.000Z'],
])('%s at %s on the schools’ clock is %s', (day, time, moment) => {
  expect(new Date(momentOnSchoolClock(day, time)).toISOString()).toBe(moment);
});
