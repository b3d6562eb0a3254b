import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plusDays } from './school-calendar.ts';
import { BANK_HOLIDAY_LISTS, type BankHolidayList, PUBLISHED_BANK_HOLIDAYS } from './bank-holidays.ts';
import { NATIONS } from './nations.ts';
import {
  bankHolidays,
  bankHolidaysByRule,
  dueDateOf,
  isWorkingDay,
  lockDayOf,
  nextWorkingDay,
  plusMonths,
} from './working-days.ts';

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

test.each([
  ['scotland', 2022, '01-03 01-04 04-15 05-02 05-30 08-01 11-30 12-26 12-27'],
  ['scotland', 2024, '01-01 01-02 03-29 05-06 05-27 08-05 12-02 12-25 12-26'],
  ['scotland', 2025, '01-01 01-02 04-18 05-05 05-26 08-04 12-01 12-25 12-26'],
  ['scotland', 2028, '01-03 01-04 04-14 05-01 05-29 08-07 11-30 12-25 12-26'],
  ['northern_ireland', 2024, '01-01 03-18 03-29 04-01 05-06 05-27 07-12 08-26 12-25 12-26'],
  ['northern_ireland', 2025, '01-01 03-17 04-18 04-21 05-05 05-26 07-14 08-25 12-25 12-26'],
  ['northern_ireland', 2028, '01-03 03-17 04-14 04-17 05-01 05-29 07-12 08-28 12-25 12-26'],
] as const)('the rule of %s gives the bank holidays of %i', (nation, year, days) => {
  expect(bankHolidays(year, nation).map((day) => day.slice(5))).toEqual(days.split(' '));
});

const ADDED: Partial<Record<BankHolidayList, string[]>> = { scotland: ['2026-06-15'] };

test.each(BANK_HOLIDAY_LISTS)(
  'the published days of %s are those of the rule and the days added for one year',
  (list) => {
    for (const [year, days] of Object.entries(PUBLISHED_BANK_HOLIDAYS[list])) {
      const added = (ADDED[list] ?? []).filter((day) => day.startsWith(year));
      const expected = [...bankHolidaysByRule(Number(year), list), ...added].toSorted();
      expect(days.split(' ').map((day) => `${year}-${day}`)).toEqual(expected);
    }
  },
);

test('15 June 2026 is a working day in England and a bank holiday in Scotland', () => {
  expect(isWorkingDay('2026-06-15', 'scotland')).toBe(false);
  expect(isWorkingDay('2026-06-15', 'england')).toBe(true);
  expect(isWorkingDay('2026-06-15')).toBe(true);
});

const anyNation = fc.constantFrom(null, ...NATIONS);

/** Days without work of a year, day by day. */
const isDayOff = (day: string, nation: (typeof NATIONS)[number] | null): boolean =>
  ['Sat', 'Sun'].includes(new Date(day).toUTCString().slice(0, 3)) ||
  bankHolidays(Number(day.slice(0, 4)), nation).includes(day);

test('an invoice is due on the first working day from the thirtieth after its issue', () => {
  fc.assert(
    fc.property(anyDay, anyNation, (issuedOn, nation) => {
      const due = dueDateOf(issuedOn, nation);
      expect(isDayOff(due, nation)).toBe(false);
      for (let day = plusDays(issuedOn, 30); day < due; day = plusDays(day, 1))
        expect(isDayOff(day, nation)).toBe(true);
      expect(due >= plusDays(issuedOn, 30)).toBe(true);
    }),
  );
});

test('a school is locked on the first day after the due date that is a working day outside 1 to 7 January', () => {
  fc.assert(
    fc.property(anyDay, anyNation, (due, nation) => {
      const isFree = (day: string) => isDayOff(day, nation) || (day.slice(5) >= '01-01' && day.slice(5) <= '01-07');
      let slow = plusDays(due, 1);
      while (isFree(slow)) slow = plusDays(slow, 1);
      expect(lockDayOf(due, nation)).toBe(slow);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['2026-11-18', '2026-12-18', '2026-12-21', 'the due date is a Friday'],
  ['2026-11-25', '2026-12-29', '2026-12-30', 'the due date would be Christmas Day'],
  ['2026-12-01', '2026-12-31', '2027-01-08', 'the next working days are in the first week of January'],
  ['2026-12-04', '2027-01-04', '2027-01-08', 'the due date would be a Sunday'],
])('an invoice of %s is due on %s and locks on %s: %s', (issuedOn, due, lock) => {
  expect(dueDateOf(issuedOn, 'england')).toBe(due);
  expect(lockDayOf(due, 'england')).toBe(lock);
});

test('the next working day has only weekends and bank holidays before it', () => {
  fc.assert(
    fc.property(anyDay, anyNation, (day, nation) => {
      const next = nextWorkingDay(day, nation);
      expect(isWorkingDay(next, nation)).toBe(true);
      for (let before = day; before < next; before = plusDays(before, 1))
        expect(isWorkingDay(before, nation)).toBe(false);
    }),
  );
});
