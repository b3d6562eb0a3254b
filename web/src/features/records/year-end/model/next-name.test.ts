import { expect, test } from 'vitest';
import { isLastYear, nextName } from './next-name.ts';

test.each([
  ['Year 3 Wrens', 'Year 4 Wrens'],
  ['year 2', 'year 3'],
  ['Y5 Swifts', 'Y6 Swifts'],
  ['3W', '4W'],
  ['3 Badgers', '4 Badgers'],
  ['Reception Robins', 'Year 1 Robins'],
  ['Robins Reception', 'Robins Year 1'],
  ['Nursery', 'Reception'],
  ['RB', '1B'],
  ['R', '1'],
  ['Kingfishers', null],
  ['Rooks', null],
  ['Class of 2026', null],
])('%s becomes %s', (name, next) => {
  expect(nextName(name)).toBe(next);
});

test.each([
  ['Year 6 Owls', true],
  ['6O', true],
  ['Year 5', false],
  ['Reception', false],
  ['Owls', false],
])('%s is of the last year: %s', (name, isLast) => {
  expect(isLastYear(name)).toBe(isLast);
});
