import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plusDays } from './school-calendar.ts';
import { bankHolidays, isWorkingDay, nextWorkingDay, plusMonths } from './working-days.ts';

test.each([
  [2024, '01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26'],
  [2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'],
  [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  [2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
])('the bank holidays of %i are those that the government lists', (year, days) => {
  expect(bankHolidays(year).map((day) => day.slice(5))).toEqual(days.split(' '));
});

const anyDay = fc
  .date({ min: new Date('2018-01-01'), max: new Date('2099-11-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test.each([
  ['2026-11-18', 1, '2026-12-18', 'an ordinary day'],
  ['2026-12-31', 1, '2027-01-31', 'the year changes'],
  ['2027-01-31', 1, '2027-02-28', 'February has no 31st'],
  ['2028-01-31', 1, '2028-02-29', 'a leap year'],
  ['2028-02-29', 1, '2028-03-29', 'from 29 February'],
  ['2028-02-29', 12, '2029-02-28', 'a year without 29 February'],
  ['2027-01-31', 3, '2027-04-30', 'three months are counted from the first day, not from the end of February'],
  ['2026-11-30', 3, '2027-02-28', 'three months end in February of the next year'],
])('%s and %i months is %s: %s', (day, months, later) => {
  expect(plusMonths(day, months)).toBe(later);
});

test('a number of months ends on the same date of a later month, or on its last day', () => {
  fc.assert(
    fc.property(anyDay, fc.integer({ min: 1, max: 24 }), (day, months) => {
      const [year = 0, month = 0] = day.split('-').map(Number);
      const index = year * 12 + month - 1 + months;
      const target = `${Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
      const later = plusMonths(day, months);
      expect(later.slice(0, 7)).toBe(target);
      if (later.slice(8) === day.slice(8)) return;
      expect(plusDays(later, 1).slice(8)).toBe('01');
      expect(later.slice(8) < day.slice(8)).toBe(true);
    }),
  );
});

test('the next working day has only weekends and bank holidays before it', () => {
  fc.assert(
    fc.property(anyDay, (day) => {
      const next = nextWorkingDay(day);
      expect(isWorkingDay(next)).toBe(true);
      for (let before = day; before < next; before = plusDays(before, 1)) expect(isWorkingDay(before)).toBe(false);
    }),
  );
});
