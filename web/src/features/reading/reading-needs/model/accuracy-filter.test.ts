import { expect, test } from 'vitest';
import { ACCURACY_CHOICES, filterByAccuracy, readAccuracyFilter } from './accuracy-filter.ts';

const readings = [
  { id: 1, accuracy: 89.99, words: 412 },
  { id: 2, accuracy: 90, words: 100 },
  { id: 3, accuracy: 94.99, words: 412 },
  { id: 4, accuracy: 95, words: 412 },
  { id: 5, accuracy: 100, words: 99 },
  { id: 6, accuracy: null, words: 0 },
];
const ofPupil = new Map(readings.map((reading) => [reading.id, reading]));
const pupils = [...readings.map(({ id }) => ({ id })), { id: 7 }];

test.each([
  ['Under 90%', [1]],
  ['90 to 94%', [2, 3]],
  ['95% and over', [4]],
  ['Too few words', [5, 6, 7]],
])('filtered by “%s”, a class lists pupils by their unrounded accuracy of at least 100 words: %j', (label, ids) => {
  const choice = ACCURACY_CHOICES.find((candidate) => candidate.label === label)?.value;
  expect(filterByAccuracy(pupils, readAccuracyFilter(choice), ofPupil).map(({ id }) => id)).toEqual(ids);
});

test.each([undefined, '', 'all', '93'])('a class lists all pupils for the filter %j', (value) => {
  expect(filterByAccuracy(pupils, readAccuracyFilter(value), ofPupil)).toEqual(pupils);
});
