import { expect, it } from 'vitest';
import { bandOf, depthOf, pointsOf, runsOf, stack } from './bucket-geometry.ts';

it('bandOf divides the width into equal steps with a gap around each bar', () => {
  expect(bandOf(0, 4)).toEqual({ start: 3, width: 19, middle: 12.5 });
  const last = bandOf(3, 4);
  expect(last.middle).toBe(87.5);
  expect(last.start + last.width).toBeCloseTo(97);
});

it('depthOf puts the ends of the axis at the ends of the chart', () => {
  const axis = { min: 60, max: 100 };
  expect([100, 90, 60].map((value) => depthOf(value, axis, 300))).toEqual([0, 75, 300]);
});

it('pointsOf leaves out the buckets without a value, and keeps a value of 0', () => {
  expect(pointsOf([null, 0, 7])).toEqual([
    { index: 1, value: 0 },
    { index: 2, value: 7 },
  ]);
});

it('runsOf breaks a line where a bucket has no value', () => {
  const indexes = (data: (number | null)[]) => runsOf(data).map((run) => run.map(({ index }) => index));
  expect(indexes([null, 0, 7, null, null, 3, null, 4])).toEqual([[1, 2], [5], [7]]);
  expect(indexes([1, 2, 3])).toEqual([[0, 1, 2]]);
  expect(indexes([null])).toEqual([]);
});

it('stack begins each series where the one before it ends, in each bucket by itself', () => {
  expect(stack([{ data: [3, null] }, { data: [2, 4] }])).toEqual([
    [
      { from: 0, to: 3 },
      { from: 0, to: 0 },
    ],
    [
      { from: 3, to: 5 },
      { from: 0, to: 4 },
    ],
  ]);
});
