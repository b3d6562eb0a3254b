// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { endSession, startSession } from '../../../../shared/session.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { addedBy, markAdded, useAdded } from './added-pupils.ts';

test('the notice after an import lists the pupils by class, and marks new classes', () => {
  const pupil = (id: number, schoolClass: { id: number; name: string } | null) => ({
    id,
    name: 'A B',
    username: 'a-b',
    group: schoolClass,
  });
  expect(
    addedBy({
      run_id: 9,
      readers: [
        pupil(1, { id: 7, name: '3W' }),
        pupil(2, { id: 7, name: '3W' }),
        pupil(3, { id: 8, name: '4W' }),
        pupil(4, null),
      ],
      meta: { created: 4, already: 0, duplicates: 0, classes_created: ['4W'], moved: 2 },
    }),
  ).toEqual({
    runId: 9,
    ids: [1, 2, 3, 4],
    moved: 2,
    classes: [
      { id: 7, name: '3W', pupils: 2, isNew: false },
      { id: 8, name: '4W', pupils: 1, isNew: true },
    ],
  });
});

test('the notice after an import is forgotten when the user logs out', () => {
  startSession(makeUser());
  markAdded({ runId: 9, ids: [1], moved: 0, classes: [] });
  endSession();
  expect(renderHook(useAdded).result.current).toBeNull();
});
