import { expect, test } from 'vitest';
import { roleAllows, schoolActions, type SchoolAction } from './permissions.ts';

test.each([
  ['manage_subscription', false],
  ['edit_school', false],
  ['add_teacher', false],
  ['edit_teacher', false],
  ['delete_teacher', false],
  ['manage_books', true],
] as const)('the action %s is allowed for admins, and for teachers: %s', (action, isForTeachers) => {
  expect([roleAllows('admin', action), roleAllows('teacher', action)]).toEqual([true, isForTeachers]);
});

test('admins are allowed every action in a school', () => {
  const denied = Object.keys(schoolActions).filter((action) => !roleAllows('admin', action as SchoolAction));
  expect(denied).toEqual([]);
});
