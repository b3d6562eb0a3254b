import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LARK, layOutLarks } from './lark-layout.ts';

const MAX = 3600;
const anyValue = fc.option(
  fc.oneof(
    fc.integer({ min: 1, max: MAX }),
    fc.constantFrom(60, 600, 601, MAX),
    fc.integer({ min: 1, max: 90 }),
    fc.integer({ min: MAX - 90, max: MAX }),
  ),
  { nil: null },
);
const anyClass = fc.record({
  values: fc.oneof(fc.array(anyValue, { maxLength: 70 }), fc.array(fc.constant<number | null>(MAX), { maxLength: 40 })),
  width: fc.constantFrom(252, 600),
  /** Wider than the layout was made for. */
  wider: fc.integer({ min: 0, max: 900 }),
});

test('no two larks overlap, a longer reading time is never further left, and all are in the box', () => {
  fc.assert(
    fc.property(anyClass, ({ values, width, wider }) => {
      const { x, row, rows } = layOutLarks(values, MAX, width, 4);
      const boxes = values.map((value, index) => ({
        value,
        left: ((x[index] ?? NaN) / 100) * (width + wider),
        row: row[index] ?? NaN,
      }));
      for (const [index, lark] of boxes.entries()) {
        expect(lark.left).toBeGreaterThanOrEqual(0);
        expect(lark.left + LARK.width).toBeLessThanOrEqual(width + wider + 0.001);
        expect(lark.row).toBeGreaterThanOrEqual(0);
        expect(lark.row).toBeLessThan(rows);
        for (const laterLark of boxes.slice(index + 1)) {
          if (lark.row === laterLark.row)
            expect(Math.abs(lark.left - laterLark.left)).toBeGreaterThanOrEqual(LARK.width - 0.001);
          if ((lark.value ?? 0) < (laterLark.value ?? 0)) expect(lark.left).toBeLessThanOrEqual(laterLark.left);
          if ((laterLark.value ?? 0) < (lark.value ?? 0)) expect(laterLark.left).toBeLessThanOrEqual(lark.left);
        }
      }
    }),
    { numRuns: 400 },
  );
});

test('the layout of a class is always the same, and larks with enough space are at their own value', () => {
  const values = [600, null, 1200, 600, 3600];
  const layout = layOutLarks(values, MAX, 600, 4);
  expect(layOutLarks(values, MAX, 600, 4)).toMatchObject({ x: layout.x, row: layout.row });
  expect([0, 2, 4].map((index) => layout.x[index])).toEqual([600, 1200, 3600].map(layout.scale));
  // Both read ten minutes: one above the other. A pupil who did not read is on the ground at the left.
  expect([layout.x[3], layout.row]).toEqual([layout.x[0], [0, 0, 0, 1, 0]]);
  expect(layout.x[1]).toBe(0);
});

test('forty larks fit into four rows on a wide screen unless many are equal', () => {
  expect(
    layOutLarks(
      Array.from({ length: 40 }, (_, index) => 30 + index * 80),
      MAX,
      600,
      4,
    ).rows,
  ).toBe(4);
  expect(
    layOutLarks(
      Array.from({ length: 40 }, () => 600),
      MAX,
      252,
      4,
    ).rows,
  ).toBeGreaterThanOrEqual(5);
});
