import { expect, test } from 'vitest';
import { describeWorst } from './worst-first.ts';

test.each([
  [11, 28, '11 of 28 need help: these are the 3 who need it most.'],
  [4, 8, '4 of 8 need help: these are the 3 who need it most.'],
  [40, 120, '40 of 120 need help: these are the 3 who need it most.'],
  [7, 28, undefined],
  [0, 0, undefined],
  [3, 5, undefined],
])('of %i in need among %i pupils the list says %s', (inNeed, pupils, sentence) => {
  expect(describeWorst({ inNeed, pupils })).toBe(sentence);
});
