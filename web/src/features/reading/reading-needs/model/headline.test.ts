import type { ReadingWeek } from '#contract/calls/reading-needs.ts';
import { expect, test } from 'vitest';
import { describeNeed, describeWeek } from './headline.ts';

const week = (given: Partial<ReadingWeek>): ReadingWeek => ({
  from: '2026-11-09',
  to: '2026-11-15',
  is_last_week: true,
  pupils: 31,
  readers: 26,
  reading_time: 26 * 14 * 60,
  before: { readers: 20, reading_time: 20 * 12 * 60 },
  read_this_week: 5,
  ...given,
});

test.each<[string, Partial<ReadingWeek>, number, string]>([
  [
    'last week beside this one',
    {},
    3,
    '26 of 31 read last week, 14 minutes each, up 2. 5 have read so far this week. Three need you.',
  ],
  ['this week', { is_last_week: false }, 12, '26 of 31 have read this week, 14 minutes each, up 2. 12 need you.'],
  [
    'everyone',
    { is_last_week: false, readers: 31, reading_time: 31 * 60 },
    1,
    'All 31 have read this week, 1 minute each, down 11. One needs you.',
  ],
  [
    'no one',
    { readers: 0, reading_time: 0, read_this_week: 0 },
    0,
    'No one read last week. No one has read yet this week. No one needs you.',
  ],
  [
    'without a week before',
    { before: { readers: 0, reading_time: 0 }, read_this_week: 1 },
    2,
    '26 of 31 read last week, 14 minutes each. 1 has read so far this week. Two need you.',
  ],
])('the headline covers %s', (_, given, inNeed, expected) => {
  expect(`${describeWeek(week(given))} ${describeNeed(inNeed)}`).toBe(expected);
});
