import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  academicYearName,
  academicYearOf,
  calendarOf,
  easterSunday,
  listSchoolDays,
  mondayOf,
  plusDays,
  termDateFaults,
  usualYear,
} from './school-calendar.ts';

const weekday = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', { weekday: 'long', timeZone: 'UTC' });

it('an academic year begins on 1 September', () => {
  expect(academicYearOf('2026-08-31')).toBe(2025);
  expect(academicYearOf('2026-09-01')).toBe(2026);
  expect(academicYearName(2026)).toBe('2026/27');
  expect(academicYearName(2099)).toBe('2099/00');
});

it('Easter Sunday is calculated for each year', () => {
  // https://www.gov.uk/bank-holidays, and the earliest and the latest Easter of two centuries.
  for (const day of ['2024-03-31', '2025-04-20', '2026-04-05', '2027-03-28', '2038-04-25', '2285-03-22'])
    expect(easterSunday(Number(day.slice(0, 4)))).toBe(day);
});

describe("England's usual term dates", () => {
  it('the usual term dates match those set by councils for 2025/26', () => {
    expect(usualYear(2025)).toEqual([
      { from: '2025-09-02', to: '2025-10-24' },
      { from: '2025-11-03', to: '2025-12-19' },
      { from: '2026-01-05', to: '2026-02-13' },
      { from: '2026-02-23', to: '2026-03-27' },
      { from: '2026-04-13', to: '2026-05-22' },
      { from: '2026-06-01', to: '2026-07-22' },
    ]);
  });
  it('the usual term dates match those of 2024/25, when Easter was late', () => {
    expect(usualYear(2024)).toEqual([
      { from: '2024-09-02', to: '2024-10-25' },
      { from: '2024-11-04', to: '2024-12-20' },
      { from: '2025-01-06', to: '2025-02-14' },
      { from: '2025-02-24', to: '2025-04-04' },
      { from: '2025-04-22', to: '2025-05-23' },
      { from: '2025-06-02', to: '2025-07-22' },
    ]);
  });
  it('the usual terms start and end on school days, in order, with 180 to 200 days in total', () => {
    for (let year = 2017; year < 2100; year += 1) {
      const halves = usualYear(year);
      const ends = halves.flatMap(({ from, to }) => [from, to]);
      expect(ends).toEqual([...ends].sort());
      expect(new Set(ends).size).toBe(12);
      expect(ends.filter((day) => academicYearOf(day) !== year)).toEqual([]);
      const days = listSchoolDays(usualYear, { from: `${year}-09-01`, to: `${year + 1}-08-31` });
      expect(ends.filter((day) => !days.includes(day))).toEqual([]);
      expect(days.length).toBeGreaterThanOrEqual(180);
      expect(days.length).toBeLessThanOrEqual(200);
    }
  });
});

describe('school days', () => {
  it('school days are weekdays outside holidays, without the bank holiday of May', () => {
    expect(listSchoolDays(usualYear, { from: '2026-10-22', to: '2026-11-03' })).toEqual([
      '2026-10-22',
      '2026-10-23',
      '2026-11-02',
      '2026-11-03',
    ]);
    expect(listSchoolDays(usualYear, { from: '2026-05-01', to: '2026-05-05' })).toEqual(['2026-05-01', '2026-05-05']);
    expect(listSchoolDays(usualYear, { from: '2026-07-23', to: '2026-08-31' })).toEqual([]);
  });
  it('school days follow the school’s own term dates when it has entered them', () => {
    const own = usualYear(2026).map((half, index) => (index === 0 ? { from: '2026-09-07', to: '2026-10-16' } : half));
    const calendar = calendarOf({ 2026: own }, null);
    expect(listSchoolDays(calendar, { from: '2026-08-31', to: '2026-09-08' })).toEqual(['2026-09-07', '2026-09-08']);
    expect(listSchoolDays(calendar, { from: '2026-10-15', to: '2026-11-02' })).toEqual([
      '2026-10-15',
      '2026-10-16',
      '2026-11-02',
    ]);
    expect(listSchoolDays(calendar, { from: '2025-09-01', to: '2025-09-02' })).toEqual(['2025-09-02']);
  });
  it('the school days of two adjacent ranges are those of both, without weekends', () => {
    const day = fc.integer({ min: 0, max: 3000 }).map((days) => plusDays('2020-01-01', days));
    fc.assert(
      fc.property(day, fc.nat(400), fc.nat(400), (from, first, second) => {
        const middle = plusDays(from, first);
        const to = plusDays(middle, second);
        const all = listSchoolDays(usualYear, { from, to });
        expect(all).toEqual([
          ...listSchoolDays(usualYear, { from, to: middle }),
          ...listSchoolDays(usualYear, { from: plusDays(middle, 1), to }),
        ]);
        expect(all.filter((date) => ['Saturday', 'Sunday'].includes(weekday(date)))).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
  it('a week begins on its Monday', () => {
    expect(mondayOf('2026-11-22')).toBe('2026-11-16');
    expect(mondayOf('2026-11-16')).toBe('2026-11-16');
  });
});

describe('errors in term dates', () => {
  const faults = (half: number, change: Partial<{ from: string; to: string }>) =>
    termDateFaults(
      2026,
      usualYear(2026).map((days, index) => (index === half ? { ...days, ...change } : days)),
    );

  it('the usual term dates of any year have no errors', () => {
    for (let year = 2017; year < 2100; year += 1) expect(termDateFaults(year, usualYear(year))).toEqual([]);
  });
  it.each([
    [0, { to: '2026-09-01' }, 0, 'to', 'The last day of Autumn 1 must not be before its first day.'],
    [1, { from: '2026-10-23' }, 1, 'from', 'Autumn 2 begins before Autumn 1 has ended, on 23 October 2026.'],
    [0, { to: '2026-11-06' }, 1, 'from', 'Autumn 2 begins before Autumn 1 has ended, on 6 November 2026.'],
    [
      1,
      { from: '2026-11-30' },
      1,
      'from',
      'This leaves more than 5 weeks without school after Autumn 1, which ended on 23 October 2026.',
    ],
    [0, { from: '2026-08-31' }, 0, 'from', 'The academic year 2026/27 runs from 1 September 2026 to 31 August 2027.'],
    [5, { to: '2027-09-01' }, 5, 'to', 'The academic year 2026/27 runs from 1 September 2026 to 31 August 2027.'],
    [
      2,
      { from: '2027-10-01', to: '2027-10-02' },
      2,
      'from',
      'The academic year 2026/27 runs from 1 September 2026 to 31 August 2027.',
    ],
  ] as const)('half-term %i with %j', (half, change, where, end, text) => {
    expect(faults(half, change)[0]).toEqual({ half: where, end, text });
  });
  it('term dates can have a holiday of five weeks, and a half-term that ends the day before the next', () => {
    expect(faults(1, { from: '2026-11-28' })).toEqual([]);
    expect(faults(0, { to: '2026-11-01' })).toEqual([]);
    expect(faults(0, { from: '2026-09-02', to: '2026-09-02' })[0]?.text).toContain('more than 5 weeks');
  });
});
