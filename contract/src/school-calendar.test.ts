import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NATIONS } from './nations.ts';
import {
  academicYearName,
  academicYearOf,
  calendarOf,
  findDayOffFault,
  easterSunday,
  listSchoolDays,
  mondayOf,
  plusDays,
  type SchoolYear,
  termDateFaults,
  termYearDays,
  termYearOf,
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
      termYearDays(2026, null),
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

describe('term dates of the nations', () => {
  it('the usual year of Scotland begins in August and ends in June', () => {
    expect(usualYear(2025, 'scotland')).toEqual([
      { from: '2025-08-13', to: '2025-10-10' },
      { from: '2025-10-20', to: '2025-12-19' },
      { from: '2026-01-05', to: '2026-02-13' },
      { from: '2026-02-18', to: '2026-04-02' },
      { from: '2026-04-20', to: '2026-05-21' },
      { from: '2026-05-26', to: '2026-06-24' },
    ]);
  });

  it('the usual year of Northern Ireland runs from 1 September to 30 June', () => {
    expect(usualYear(2025, 'northern_ireland')).toEqual([
      { from: '2025-09-01', to: '2025-10-29' },
      { from: '2025-11-03', to: '2025-12-19' },
      { from: '2026-01-05', to: '2026-02-13' },
      { from: '2026-02-18', to: '2026-04-01' },
      { from: '2026-04-13', to: '2026-05-22' },
      { from: '2026-05-26', to: '2026-06-30' },
    ]);
    const calendar = calendarOf({}, 'northern_ireland');
    expect(listSchoolDays(calendar, { from: '2026-03-16', to: '2026-03-18' })).toEqual(['2026-03-16', '2026-03-18']);
  });

  it('the usual year of Wales has the holidays of England and other ends', () => {
    const [wales, england] = [usualYear(2025, 'wales'), usualYear(2025, 'england')];
    expect(wales.slice(1, 5)).toEqual(england.slice(1, 5));
    expect([wales[0]?.from, wales[5]?.to]).toEqual(['2025-09-01', '2026-07-21']);
  });

  it.each(NATIONS)('every usual year of %s is valid, with 182 to 198 weekdays of school', (nation) => {
    for (let year = 2017; year < 2100; year += 1) {
      const halves = usualYear(year, nation);
      expect(termDateFaults(year, halves, termYearDays(year, nation))).toEqual([]);
      for (const { from, to } of halves)
        for (const day of [from, to]) expect(new Date(`${day}T00:00:00Z`).getUTCDay() % 6).not.toBe(0);
      const { length } = listSchoolDays(calendarOf({}, nation), termYearDays(year, nation));
      expect([length >= 182, length <= 198, year, length]).toEqual([true, true, year, length]);
    }
  });

  it('school days in August belong to the year of Scotland that begins, each once', () => {
    const calendar = calendarOf({}, 'scotland');
    expect(termYearOf('2026-08-20', 'scotland')).toBe(2026);
    expect(termYearOf('2026-07-31', 'scotland')).toBe(2025);
    expect(termYearOf('2026-08-20', null)).toBe(2025);
    const days = listSchoolDays(calendar, { from: '2026-08-10', to: '2026-09-04' });
    expect([days[0], days.length, new Set(days).size]).toEqual(['2026-08-12', 18, 18]);
    // Dates that were entered before the school was known to be in Scotland overlap the next year.
    const long = usualYear(2025).map((half, index) => (index === 5 ? { ...half, to: '2026-08-21' } : half));
    const both = listSchoolDays(calendarOf({ 2025: long }, 'scotland'), { from: '2026-08-10', to: '2026-08-21' });
    expect([both.length, new Set(both).size]).toEqual([10, 10]);
  });

  it('a first day in August is outside the year of England and inside that of Scotland', () => {
    const halves = usualYear(2026, 'scotland');
    expect(termDateFaults(2026, halves, termYearDays(2026, null)).map(({ text }) => text)).toEqual([
      'The academic year 2026/27 runs from 1 September 2026 to 31 August 2027.',
    ]);
    expect(termDateFaults(2026, halves, termYearDays(2026, 'scotland'))).toEqual([]);
  });
});

describe('days without school', () => {
  it('a day without school is no school day, whichever half-terms the school has', () => {
    const range = { from: '2026-11-23', to: '2026-11-25' };
    const given: Record<number, SchoolYear>[] = [{}, { 2026: usualYear(2026) }];
    for (const own of given)
      expect(listSchoolDays(calendarOf(own, null, ['2026-11-24']), range)).toEqual(['2026-11-23', '2026-11-25']);
  });

  it.each([
    ['2026-11-24', null, undefined],
    ['2026-11-22', null, '22 November 2026 is at a weekend. Enter a weekday.'],
    ['2026-12-28', null, '28 December 2026 is in the holidays. Enter a day within a half-term.'],
    ['2027-05-03', null, '3 May 2027 is a bank holiday already.'],
    ['2027-03-17', null, undefined],
    ['2027-03-17', 'northern_ireland', '17 March 2027 is a bank holiday already.'],
  ] as const)('the day without school %s in %s has the fault %s', (day, nation, fault) => {
    expect(findDayOffFault(day, usualYear(2026, nation), nation)).toBe(fault);
  });
});
