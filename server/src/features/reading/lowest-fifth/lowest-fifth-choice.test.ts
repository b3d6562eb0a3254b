import type { ReadingStanding } from '#contract/calls/lowest-fifth.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LevelTotals } from '../dashboard/dashboard.public.ts';
import { chooseLowestFifth, describeStanding } from './lowest-fifth.service.ts';

const pupil = (id: number, reading_level: number, accuracy: number | null) => ({
  id,
  standing: { reading_level, accuracy },
});
const idsOf = (pupils: readonly { id: number; standing: ReadingStanding | null }[]) =>
  chooseLowestFifth(pupils).lowest.map(({ id }) => id);

test('the lowest level is listed first, and within a level the lowest accuracy', () => {
  const pupils = [3, 2, 1, 2, 3, 1, 3, 3, 3, 3].map((level, id) => pupil(id, level, 99 - id));
  expect(idsOf(pupils)).toEqual([5, 2]);
});

test('all pupils who read exactly as the last of the fifth does are listed', () => {
  const pupils = [...[1, 2, 3].map((id) => pupil(id, 1, 90)), ...[4, 5, 6, 7].map((id) => pupil(id, 2, 80))];
  expect(idsOf(pupils)).toEqual([1, 2, 3]);
});

test('a pupil who read too little to be placed is neither listed nor part of the number that is divided', () => {
  const pupils = [
    { id: 1, standing: null },
    pupil(2, 1, null),
    pupil(3, 2, 90),
    ...[4, 5, 6, 7].map((id) => pupil(id, 3, 90)),
  ];
  expect(chooseLowestFifth(pupils)).toEqual({ placed: 5, lowest: [pupil(3, 2, 90)] });
});

test('of one to five pupils one is listed, and of none none', () => {
  for (const [size, listed] of [
    [0, 0],
    [1, 1],
    [4, 1],
    [5, 1],
    [6, 2],
  ] as const)
    expect(idsOf(Array.from({ length: size }, (_, id) => pupil(id, 1, 50 + id)))).toHaveLength(listed);
});

const standing = fc.option(
  fc.record({
    reading_level: fc.integer({ min: 1, max: 6 }),
    // Few values, for ties.
    accuracy: fc.option(fc.constantFrom(0, 33.3, 80, 88.5, 90, 100)),
  }),
);

test('the lowest fifth of any year has the pupils below whom fewer than a fifth read less well', () => {
  fc.assert(
    fc.property(fc.array(standing, { maxLength: 60 }), (standings) => {
      const pupils = standings.map((given, id) => ({ id, standing: given }));
      const placed = pupils.filter((one) => one.standing !== null && one.standing.accuracy !== null);
      const readsLessWell = (a: ReadingStanding, b: ReadingStanding) =>
        a.reading_level < b.reading_level || (a.reading_level === b.reading_level && a.accuracy! < b.accuracy!);
      const expected = placed.filter(
        (one) =>
          5 * placed.filter((other) => readsLessWell(other.standing!, one.standing!)).length <
          // As many as are listed without ties: a fifth, rounded up.
          5 * Math.ceil(placed.length / 5),
      );
      const { placed: count, lowest } = chooseLowestFifth(pupils);
      expect(count).toBe(placed.length);
      expect(lowest.map(({ id }) => id).toSorted((a, b) => a - b)).toEqual(expected.map(({ id }) => id));
      for (const [index, one] of lowest.entries()) {
        const next = lowest[index + 1];
        if (next) expect(readsLessWell(next.standing, one.standing)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});

const totals = (
  reading_level: number,
  last_day: string,
  words_attempted: number,
  words_correct: number,
): LevelTotals => ({
  pupil_id: 1,
  reading_level,
  last_day,
  words_attempted,
  words_correct,
});

test('a pupil is placed by the level of the latest day and the accuracy at that level alone', () => {
  expect(describeStanding([totals(3, '2026-11-10', 500, 500), totals(2, '2026-11-12', 100, 87)])).toEqual({
    reading_level: 2,
    accuracy: 87,
  });
  expect(describeStanding([totals(3, '2026-11-10', 500, 500), totals(2, '2026-11-12', 99, 87)])).toEqual({
    reading_level: 2,
    accuracy: null,
  });
  expect(describeStanding([])).toBeNull();
});
