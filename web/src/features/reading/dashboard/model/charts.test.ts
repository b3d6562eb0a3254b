import { describe, expect, it } from 'vitest';
import { ACCURACY_BANDS } from '#contract/accuracy.ts';
import { fullBucket, labelsWithRoom, rowBucket, shortBucket } from './bucket-labels.ts';
import { classInUrl } from '../dashboard.api.ts';
import { ACCURACY, BOOKS, formatChange, hasReading, READING_TIME } from './measures.ts';
import { bandOf, countBands, orderPupils, type PupilRow } from './pupil-rows.ts';

const written = ({ ticks, format }: { ticks: number[]; format: (value: number) => string }) =>
  ticks.map(format).join(' ');

describe('axis of reading time', () => {
  it('the axis of reading time is in seconds under 120', () =>
    expect(written(READING_TIME.axis([119]))).toBe('0 s 30 s 60 s 90 s 120 s'));
  it('the axis of reading time is in minutes under 60', () => {
    expect(written(READING_TIME.axis([120]))).toBe('0 min 1 min 2 min');
    expect(written(READING_TIME.axis([3599]))).toBe('0 min 15 min 30 min 45 min 60 min');
  });
  it('the axis of reading time is in hours from 60 minutes', () => {
    expect(written(READING_TIME.axis([3600]))).toBe('0 h 0.5 h 1 h');
    expect(written(READING_TIME.axis([90 * 3600]))).toBe('0 h 20 h 40 h 60 h 80 h 100 h');
  });
  it('the axis of reading time covers the largest value', () => {
    for (const largest of [0, 1, 7, 61, 119, 500, 3500, 4000, 9001, 123_456, 9_999_999])
      expect(READING_TIME.axis([largest]).max).toBeGreaterThanOrEqual(largest);
  });
});

it('the axis of books has whole books, with the singular for 1', () => {
  expect(written(BOOKS.axis([2]))).toBe('0 books 1 book 2 books');
  expect(BOOKS.axis([23]).ticks).toEqual([0, 5, 10, 15, 20, 25]);
});

it('the axis of accuracy always ends at 100 per cent', () => {
  expect(written(ACCURACY.axis([100]))).toBe('90% 92% 94% 96% 98% 100%');
  expect(written(ACCURACY.axis([91]))).toBe('90% 92% 94% 96% 98% 100%');
  expect(written(ACCURACY.axis([90.9]))).toBe('85% 90% 95% 100%');
  expect(written(ACCURACY.axis([76]))).toBe('75% 80% 85% 90% 95% 100%');
  expect(written(ACCURACY.axis([60]))).toBe('50% 60% 70% 80% 90% 100%');
  expect(written(ACCURACY.axis([41]))).toBe('40% 60% 80% 100%');
  expect(written(ACCURACY.axis([0]))).toBe('0% 20% 40% 60% 80% 100%');
  for (let lowest = 0; lowest <= 100; lowest += 0.5) expect(ACCURACY.axis([lowest]).min).toBeLessThanOrEqual(lowest);
});

describe('values', () => {
  it('values of charts are rounded down, with the singular for 1', () => {
    expect(ACCURACY.format(99.9)).toBe('99%');
    expect(ACCURACY.format(0.4)).toBe('< 1%');
    expect(BOOKS.format(1)).toBe('1 book');
    expect(BOOKS.format(2.44)).toBe('2.4 books');
    expect(BOOKS.format(0.01)).toBe('< 0.1 books');
    expect(READING_TIME.format(119)).toBe('119 seconds');
  });
  it('values of charts are short where there is little space', () => {
    expect(READING_TIME.formatShort(119)).toBe('119 s');
    expect(READING_TIME.formatShort(3540)).toBe('59 min');
    expect(READING_TIME.formatShort(3599)).toBe('1 h');
    expect(READING_TIME.formatShort(5400)).toBe('1 h 30 min');
  });
  it('values of charts differ from no reading', () => {
    expect(hasReading(READING_TIME, 0)).toBe(false);
    expect(hasReading(ACCURACY, 0)).toBe(true);
    expect(hasReading(ACCURACY, null)).toBe(false);
  });
});

describe('buckets', () => {
  it('buckets are named by their width', () => {
    expect(shortBucket('day', '2026-11-03')).toBe('3 Nov');
    expect(shortBucket('month', '2026-11-01')).toBe('Nov 2026');
    expect(fullBucket('day', '2026-11-03')).toBe('Tuesday 3 November 2026');
    expect(rowBucket('day', '2026-11-03', false)).toBe('Tuesday 3 November');
    expect(rowBucket('week', '2026-11-02', true)).toBe('From 2 November 2026');
    expect(rowBucket('month', '2026-11-01', false)).toBe('November 2026');
    expect(fullBucket('week', '2026-11-02')).toBe('Week from 2 November 2026');
    expect(fullBucket('month', '2026-11-01')).toBe('November 2026');
  });
  it('labels of buckets are shown as far as there is space, the latest always', () => {
    const days = Array.from({ length: 30 }, (_, day) => String(day));
    expect(labelsWithRoom(days, 4000)).toHaveLength(30);
    const few = labelsWithRoom(days, 320);
    expect(few.length).toBeLessThanOrEqual(5);
    expect(few.at(-1)).toBe('29');
    expect(labelsWithRoom(days, 0)).toEqual(['29']);
  });
});

it('pupils are ordered by value, with pupils who have not read at the lower end', () => {
  const rows = [
    ['Ada', 5],
    ['Ben', 0],
    ['Chloë', 9],
  ].map(([name, total], id) => ({ id, name, total, parts: [] }) as unknown as PupilRow);
  const names = (order: Parameters<typeof orderPupils>[1]) =>
    orderPupils(rows, order)
      .map(({ name }) => name)
      .join(' ');
  expect(names('name')).toBe('Ada Ben Chloë');
  expect(names('highest')).toBe('Chloë Ada Ben');
  expect(names('lowest')).toBe('Ben Ada Chloë');
});

it('pupils are grouped in bands of accuracy by the exact value, pupils without a value last', () => {
  const rows = [null, 100, 95, 94.99, 90, 89.99, 0].map((total, id) => ({ id, name: `Pupil ${id}`, total, parts: [] }));
  expect(rows.map((row) => bandOf(row, ACCURACY_BANDS))).toEqual([
    'No word attempted',
    '95% and over',
    '95% and over',
    '90 to 94%',
    '90 to 94%',
    'Under 90%',
    'Under 90%',
  ]);
  const counted = (some: PupilRow[]) => countBands(some, ACCURACY_BANDS).map(({ name, pupils }) => `${name} ${pupils}`);
  expect(counted(rows)).toEqual(['Under 90% 2', '90 to 94% 2', '95% and over 2', 'No word attempted 1']);
  expect(counted(rows.slice(1, 3))).toEqual(['Under 90% 0', '90 to 94% 0', '95% and over 2']);
  for (const order of ['lowest', 'highest'] as const) expect(orderPupils(rows, order).at(-1)?.total).toBeNull();
});

it('a change has a sign, and one that rounds to nothing is no change', () => {
  expect(formatChange(READING_TIME, 720)).toBe('+12 min');
  expect(formatChange(READING_TIME, -5400)).toBe('−1 h 30 min');
  expect(formatChange(READING_TIME, -93)).toBe('−2 min');
  expect(formatChange(READING_TIME, 29)).toBe('no change');
  expect(formatChange(ACCURACY, 1)).toBe('+1 point');
  expect(formatChange(ACCURACY, -2.6)).toBe('−3 points');
  expect(formatChange(ACCURACY, -0.4)).toBe('no change');
  expect(formatChange(BOOKS, -1.25)).toBe('−1.3 books');
  expect(formatChange(BOOKS, 0.04)).toBe('no change');
});

it('the dashboard reads the class from the URL, and no class from a mistyped URL', () => {
  expect(classInUrl(new URLSearchParams('class=12'))).toBe(12);
  for (const text of ['', 'class=', 'class=x', 'class=-1', 'class=1e3'])
    expect(classInUrl(new URLSearchParams(text))).toBeUndefined();
});
