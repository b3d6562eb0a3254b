import { expect, it } from 'vitest';
import { orderPupils, type ReadingOfClass } from './class-reading.ts';

const pupils = [
  { id: 1, name: 'Ada' },
  { id: 2, name: 'Ben' },
  { id: 3, name: 'Cleo' },
  { id: 4, name: 'Dev' },
];
const reading = (id: number, last_read_on: string | null, reading_time_this_week: number, accuracy: number | null) => ({
  id,
  last_read_on,
  reading_time_this_week,
  accuracy,
  words: 200,
  reading_level: null,
  weeks: [],
});
const classReading = {
  ofPupil: new Map(
    [
      reading(1, '2026-11-17', 60, 98),
      reading(2, null, 0, null),
      reading(3, '2026-11-03', 0, 84),
      reading(4, '2026-11-16', 600, 91),
    ].map((pupil) => [pupil.id, pupil]),
  ),
  rankOf: new Map([
    [3, 0],
    [2, 1],
  ]),
} as unknown as ReadingOfClass;

it.each([
  [null, 'Cleo Ben Ada Dev'],
  [{ field: 'need', direction: 'asc' }, 'Cleo Ben Ada Dev'],
  [{ field: 'name', direction: 'desc' }, 'Dev Cleo Ben Ada'],
  [{ field: 'last_read', direction: 'asc' }, 'Ben Cleo Dev Ada'],
  [{ field: 'last_read', direction: 'desc' }, 'Ada Dev Cleo Ben'],
  [{ field: 'week', direction: 'desc' }, 'Dev Ada Ben Cleo'],
  [{ field: 'accuracy', direction: 'asc' }, 'Cleo Dev Ada Ben'],
  [{ field: 'accuracy', direction: 'desc' }, 'Ada Dev Cleo Ben'],
] as const)('sorted by %j they are %s', (sort, expected) => {
  expect(
    orderPupils(pupils, sort, classReading)
      .map(({ name }) => name)
      .join(' '),
  ).toBe(expected);
});
