import type { ReadingLine, WeekReader } from '#contract/calls/class-reading.ts';
import { describe, expect, test } from 'vitest';
import { describeJoys, describeShownWeek, layOutPicture, summariseLine } from './larks.ts';

const pupil = (id: number, seconds: number | null, level: number | null = 3): WeekReader => ({
  id,
  name: `Pupil ${id}`,
  pupils: 1,
  readers: seconds === null ? 0 : 1,
  reading_time: seconds ?? 0,
  reading_level: level,
});
const line = (marks: WeekReader[], more: Partial<ReadingLine> = {}): ReadingLine => ({
  from: '2026-11-16',
  to: '2026-11-20',
  is_current_week: true,
  of: 'pupils',
  readers: marks,
  median_reading_time: 300,
  is_best_week: false,
  first_books: [],
  ...more,
});

describe('the picture of a week', () => {
  test('the reading line has a lark for each pupil from left to right, with the facts in words', () => {
    const { larks, ticks, median } = layOutPicture(line([pupil(1, 1500, 5), pupil(2, null, null), pupil(3, 300)]));
    expect(larks.map(({ name, facts, isOnGround, to }) => [name, facts, isOnGround, to])).toEqual([
      ['Pupil 2', 'did not read, no level yet', true, '/pupils/2'],
      ['Pupil 3', '5 minutes, level 3', false, '/pupils/3'],
      ['Pupil 1', '25 minutes, level 5', false, '/pupils/1'],
    ]);
    expect(ticks.map(({ text }) => text)).toEqual(['5', '10', '15', '20', '25']);
    expect(median).toMatchObject({ text: 'Median 5 min', wide: larks[1]?.wide.x });
  });

  test('the reading line places a class by its minutes a pupil and links to its dashboard', () => {
    const classes = [
      { id: 7, name: 'Owls', pupils: 30, readers: 20, reading_time: 36_000, reading_level: 4 },
      { id: null, name: 'No class', pupils: 2, readers: 0, reading_time: 0, reading_level: null },
    ];
    const { larks } = layOutPicture(line(classes, { of: 'classes' }));
    expect(larks.map(({ facts, to }) => [facts, to])).toEqual([
      ['no reading, 0 of 2 read, no level yet', '/pupils?groups=none'],
      ['20 minutes a pupil, 20 of 30 read, level 4', '/?class=7'],
    ]);
    expect(summariseLine(line(classes, { of: 'classes' }))).toBe(
      '2 classes by minutes read. 1 read, 1 did not. Median: 5 minutes.',
    );
  });

  test.each([
    [true, [600, 300, null], '2 of 3 pupils have read so far this week, 8 minutes each.'],
    [true, [600, null], '1 of 2 pupils has read so far this week, 10 minutes.'],
    [true, [600], 'The one pupil has read so far this week, 10 minutes.'],
    [true, [null], 'The one pupil has not read yet this week.'],
    [false, [600], 'The one pupil read, 10 minutes.'],
    [false, [null], 'The one pupil did not read in this week.'],
    [true, [null, null], 'No one has read yet this week.'],
    [false, [600, 300, null], '2 of 3 pupils read, 8 minutes each.'],
    [false, [null, null], 'No one read in this week.'],
  ])('the sentence of a week belongs to it: current %j, seconds %j', (is_current_week, seconds, expected) => {
    const marks = seconds.map((value, index) => pupil(index + 1, value));
    expect(describeShownWeek(line(marks, { is_current_week }))).toBe(expected);
  });

  test('the reading line celebrates a best week and first books, without names where they are hidden', () => {
    const glad = { is_best_week: true, is_current_week: true, first_books: [{ id: 1, name: 'Ada' }] };
    expect(describeJoys(glad, false)).toEqual([
      'The best week of this school year so far.',
      'First book completed: Ada.',
    ]);
    expect(describeJoys({ ...glad, is_current_week: false }, false)[0]).toBe(
      'The best week of the school year up to then.',
    );
    expect(describeJoys({ ...glad, is_best_week: false }, true)).toEqual(['First book completed: 1 pupil.']);
    expect(describeJoys(line([]), false)).toEqual([]);
  });
});
