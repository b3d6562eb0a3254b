import { expect, it } from 'vitest';
import { describeChanges, describeChoice } from './change-words.ts';

it('what changed names level and accuracy with those before, and whether the pupil was listed before', () => {
  const now = { reading_level: 2, accuracy: 88.9 };
  expect(describeChanges({ ...now, before: { reading_level: 1, accuracy: 84 }, was_listed: true })).toEqual([
    'Level 2, before level 1',
    '88%, before 84%',
    'Also before',
  ]);
  expect(describeChanges({ ...now, before: { reading_level: 2, accuracy: 88.1 }, was_listed: false })).toEqual([
    'Level 2, as before',
    '88%, as before',
    'Since the last six weeks',
  ]);
  expect(describeChanges({ ...now, before: { reading_level: 3, accuracy: null }, was_listed: false })).toEqual([
    'Level 2, before level 3',
    '88%, before too few words',
    'Since the last six weeks',
  ]);
  expect(describeChanges({ ...now, before: null, was_listed: false })).toEqual(['New: no reading before']);
});

it('the choice names how many of the pupils placed are listed, and how many read too little', () => {
  expect(describeChoice({ placed: 26, too_little: 4 }, 6)).toBe(
    '6 of the 26 pupils who can be placed. 4 read too little to be placed.',
  );
  expect(describeChoice({ placed: 5, too_little: 0 }, 1)).toBe('1 of the 5 pupils who can be placed.');
});

it('with fewer than five pupils placed the choice says that they are too few for a fifth', () => {
  expect(describeChoice({ placed: 4, too_little: 0 }, 1)).toBe(
    'Only 4 pupils can be placed, which is too few for a fifth: the list shows the one who reads least well.',
  );
  expect(describeChoice({ placed: 2, too_little: 1 }, 2)).toBe(
    'Only 2 pupils can be placed, which is too few for a fifth: the list shows those who read least well. 1 read too little to be placed.',
  );
  expect(describeChoice({ placed: 0, too_little: 3 }, 0)).toBe('3 read too little to be placed.');
  expect(describeChoice({ placed: 0, too_little: 0 }, 0)).toBe('No pupil is in this year group.');
});
