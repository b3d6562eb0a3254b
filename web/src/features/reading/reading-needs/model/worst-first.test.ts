import { expect, test } from 'vitest';
import { countWorst, describeWorst } from './worst-first.ts';

const ofClass = (inNeed: number, pupils: number) => ({ inNeed, pupils, isClass: true });

test.each([
  [11, 28, 7, '11 of 28 need help: these are the 7 who need it most.'],
  [29, 29, 8, '29 of 29 need help: these are the 8 who need it most.'],
  [4, 8, 3, '4 of 8 need help: these are the 3 who need it most.'],
])('of %i among %i pupils of a class, the list begins with %i and says: %s', (inNeed, pupils, worst, sentence) => {
  expect(countWorst(ofClass(inNeed, pupils))).toBe(worst);
  expect(describeWorst(ofClass(inNeed, pupils))).toBe(sentence);
});

test.each([
  ['exactly a quarter of the class', ofClass(7, 28)],
  ['a class without pupils', ofClass(0, 0)],
  ['a quarter of the school', { inNeed: 30, pupils: 120, isClass: false }],
])('a list of %s begins with three pupils, without a sentence', (_what, counts) => {
  expect(countWorst(counts)).toBe(3);
  expect(describeWorst(counts)).toBeUndefined();
});

test('a list of more than a quarter of a class has no sentence if it is shown whole', () => {
  expect(describeWorst(ofClass(3, 5))).toBeUndefined();
});

test('a list of more than a quarter of a school begins with ten pupils', () => {
  const counts = { inNeed: 40, pupils: 120, isClass: false };
  expect(countWorst(counts)).toBe(10);
  expect(describeWorst(counts)).toBe('40 of 120 need help: these are the 10 who need it most.');
});
