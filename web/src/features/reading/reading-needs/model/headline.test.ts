import { describeNeed } from '#contract/reading-sentence.ts';
import type { ReadingWeek } from '#contract/calls/reading-needs.ts';
import { expect, test } from 'vitest';
import { describeWeek } from './headline.ts';

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
    'the one pupil of last week',
    { pupils: 1, readers: 1, reading_time: 600, before: { readers: 0, reading_time: 0 }, read_this_week: 0 },
    1,
    'The one pupil read last week, 10 minutes. The one pupil has not read yet this week. One needs you.',
  ],
  [
    'the one pupil of this week',
    { is_last_week: false, pupils: 1, readers: 1, reading_time: 600, before: { readers: 0, reading_time: 0 } },
    0,
    'The one pupil has read this week, 10 minutes. No one needs you.',
  ],
  [
    'one of two pupils',
    { is_last_week: false, pupils: 2, readers: 1, reading_time: 600, before: { readers: 0, reading_time: 0 } },
    2,
    '1 of 2 has read this week, 10 minutes. Two need you.',
  ],
  [
    'without a week before',
    { before: { readers: 0, reading_time: 0 }, read_this_week: 1 },
    2,
    '26 of 31 read last week, 14 minutes each. 1 has read so far this week. Two need you.',
  ],
])('the headline covers %s', (_, given, inNeed, expected) => {
  expect(`${describeWeek(week(given))} ${describeNeed(inNeed)}.`).toBe(expected);
});
