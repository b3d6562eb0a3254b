import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plusDays } from './school-calendar.ts';
import { bankHolidays, isWorkingDay, subjectRequestDueOn } from './subject-request-dates.ts';

test.each([
  [2024, '01-01 03-29 04-01 05-06 05-27 08-26 12-25 12-26'],
  [2025, '01-01 04-18 04-21 05-05 05-26 08-25 12-25 12-26'],
  [2026, '01-01 04-03 04-06 05-04 05-25 08-31 12-25 12-28'],
  [2027, '01-01 03-26 03-29 05-03 05-31 08-30 12-27 12-28'],
  [2028, '01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26'],
])('the bank holidays of %i are those that the government lists', (year, days) => {
  expect(bankHolidays(year).map((day) => day.slice(5))).toEqual(days.split(' '));
});

test.each([
  ['2026-09-03', '2026-10-05', 'the 3rd of October is a Saturday'],
  ['2026-10-15', '2026-11-16', 'the 15th of November is a Sunday'],
  ['2026-11-25', '2026-12-29', 'Christmas Day, a weekend and the substitute of Boxing Day follow each other'],
  ['2027-01-31', '2027-03-01', 'February has no 31st, and its last day is a Sunday'],
  ['2028-01-31', '2028-02-29', 'a leap year'],
  ['2026-12-31', '2027-02-01', 'the year changes; the 31st of January is a Sunday'],
  ['2026-11-18', '2026-12-18', 'an ordinary day'],
])('a request received on %s is due on %s: %s', (received, due) => {
  expect(subjectRequestDueOn(received)).toBe(due);
});

const anyDay = fc
  .date({ min: new Date('2018-01-01'), max: new Date('2099-11-30'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));

test('the due date is the first working day from the same date of the next month, or its last day', () => {
  fc.assert(
    fc.property(anyDay, (received) => {
      const due = subjectRequestDueOn(received);
      expect(isWorkingDay(due)).toBe(true);
      const [year = 0, month = 0, date = 0] = received.split('-').map(Number);
      const nextMonth = `${month === 12 ? year + 1 : year}-${String((month % 12) + 1).padStart(2, '0')}`;
      let target = plusDays(`${nextMonth}-01`, date - 1);
      while (!target.startsWith(nextMonth)) target = plusDays(target, -1);
      expect(due >= target).toBe(true);
      for (let day = target; day < due; day = plusDays(day, 1)) expect(isWorkingDay(day)).toBe(false);
    }),
  );
});

test('a later request is never due earlier', () => {
  fc.assert(
    fc.property(anyDay, (received) => {
      expect(subjectRequestDueOn(plusDays(received, 1)) >= subjectRequestDueOn(received)).toBe(true);
    }),
  );
});
