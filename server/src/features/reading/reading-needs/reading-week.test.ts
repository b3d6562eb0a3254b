import { calendarOf } from '#contract/school-calendar.ts';
import { describe, expect, test } from 'vitest';
import { chooseReadingWeeks } from './reading-week.service.ts';

// Half-term is from 26 to 30 October 2026. Monday 3 May 2027 is a bank holiday.
describe('the week shown', () => {
  test.each([
    ['on Monday: last week', '2026-11-16', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    ['on Tuesday: last week', '2026-11-17', '2026-11-09', '2026-11-15', '2026-11-02', '2026-11-08'],
    [
      'on Wednesday: this week, against the same days',
      '2026-11-18',
      '2026-11-16',
      '2026-11-18',
      '2026-11-09',
      '2026-11-11',
    ],
    ['on Sunday: this week', '2026-11-22', '2026-11-16', '2026-11-22', '2026-11-09', '2026-11-15'],
    ['after half-term: the week before it', '2026-11-02', '2026-10-19', '2026-10-25', '2026-10-12', '2026-10-18'],
    ['compared across half-term', '2026-11-09', '2026-11-02', '2026-11-08', '2026-10-19', '2026-10-25'],
    [
      'on Wednesday after a bank holiday: last week',
      '2027-05-05',
      '2027-04-26',
      '2027-05-02',
      '2027-04-19',
      '2027-04-25',
    ],
    [
      'on Thursday after a bank holiday: this week',
      '2027-05-06',
      '2027-05-03',
      '2027-05-06',
      '2027-04-26',
      '2027-04-29',
    ],
  ])('%s', (_, today, from, to, beforeFrom, beforeTo) => {
    const { shown, before } = chooseReadingWeeks(calendarOf({}, null), today);
    expect({ shown, before }).toEqual({ shown: { from, to }, before: { from: beforeFrom, to: beforeTo } });
  });
});
