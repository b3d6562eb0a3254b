import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareWithAge, formatLevel, formatLevelAges, MAX_LEVEL_AGE, MIN_LEVEL_AGE } from './reading-levels.ts';
import { ageInYearGroup, YEAR_GROUPS } from './year-group.ts';

const anyCode = fc.constantFrom(...YEAR_GROUPS);
const ages = fc
  .tuple(fc.integer({ min: MIN_LEVEL_AGE, max: MAX_LEVEL_AGE }), fc.integer({ min: 0, max: 4 }))
  .map(([from, years]) => ({ from_age: from, to_age: from + years }));

test('a level is below a year group if its last age is lower, and above it if its first age is higher', () => {
  fc.assert(
    fc.property(ages, anyCode, (level, code) => {
      const age = ageInYearGroup(code);
      const comparison = compareWithAge(level, code);
      if (age === null) expect(comparison).toBeNull();
      else
        expect({
          below: comparison === 'below',
          at: comparison === 'at',
          above: comparison === 'above',
        }).toEqual({
          below: age > level.to_age,
          at: age >= level.from_age && age <= level.to_age,
          above: age < level.from_age,
        });
    }),
  );
});

test('a level is never compared without ages or without a year group', () => {
  fc.assert(
    fc.property(anyCode, ages, (code, level) => {
      expect(compareWithAge({ from_age: null, to_age: null }, code)).toBeNull();
      expect(compareWithAge(level, null)).toBeNull();
    }),
  );
  for (const code of ['E1', 'N2', 'M', 'X'] as const)
    expect(compareWithAge({ from_age: 3, to_age: 18 }, code)).toBeNull();
});

test.each([
  ['R', 4],
  ['1', 5],
  ['6', 10],
  ['P1', 4],
  ['P7', 10],
  ['N2', null],
] as const)('a pupil in year group %s is %j years old on 1 September', (code, age) => {
  expect(ageInYearGroup(code)).toBe(age);
});

test('levels and their ages in words', () => {
  expect(formatLevel(3, 'Orange')).toBe('Level 3 (Orange)');
  expect(formatLevel(3)).toBe('Level 3');
  const orange = { level: 3, book_band: 'Orange' };
  expect(formatLevelAges({ ...orange, from_age: 6, to_age: 7 })).toBe('6 to 7');
  expect(formatLevelAges({ ...orange, from_age: 6, to_age: 6 })).toBe('6');
  expect(formatLevelAges({ ...orange, from_age: null, to_age: null })).toBeUndefined();
});
