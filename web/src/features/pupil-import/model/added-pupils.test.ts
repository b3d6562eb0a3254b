import { expect, test } from 'vitest';
import { addedBy } from './added-pupils.ts';

test('what an import made is told by class, the new classes as new', () => {
  const pupil = (id: number, schoolClass: { id: number; name: string } | null) => ({
    id,
    name: 'A B',
    username: 'a-b',
    group: schoolClass,
  });
  expect(
    addedBy({
      readers: [
        pupil(1, { id: 7, name: '3W' }),
        pupil(2, { id: 7, name: '3W' }),
        pupil(3, { id: 8, name: '4W' }),
        pupil(4, null),
      ],
      meta: { created: 4, already: 0, duplicates: 0, classes_created: ['4W'], placed: 2 },
    }),
  ).toEqual({
    ids: [1, 2, 3, 4],
    moved: 2,
    classes: [
      { id: 7, name: '3W', pupils: 2, isNew: false },
      { id: 8, name: '4W', pupils: 1, isNew: true },
    ],
  });
});
