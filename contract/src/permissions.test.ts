import { expect, test } from 'vitest';
import { api } from './api.ts';
import { roleAllows, type SchoolAction, schoolActions } from './permissions.ts';

test.each([
  ['edit_school', ['updateSchool', 'acceptTerms']],
  ['edit_contacts', ['updateContact']],
  ['add_teacher', ['sendInvites', 'listInvites', 'resendInvite', 'removeInvite', 'removeInvites']],
  ['edit_teacher', ['setAdmin']],
  ['delete_teacher', ['removeTeacher', 'recordLeaver']],
  [
    'manage_subscription',
    ['getSubscription', 'listPackages', 'getPackage', 'getBillingContact', 'subscribe', 'startTrial'],
  ],
] as const)('an admin has the right %s, a teacher does not, and the calls %j need it', (right, names) => {
  expect([roleAllows('admin', right), roleAllows('teacher', right)]).toEqual([true, false]);
  for (const name of names) expect([name, api[name].permission]).toEqual([name, right]);
});

test('manage_books is for admins and teachers, and assigning a book needs it', () => {
  expect([roleAllows('admin', 'manage_books'), roleAllows('teacher', 'manage_books')]).toEqual([true, true]);
  for (const name of ['assignBookToClass', 'removeBookFromClass', 'assignBookToPupil', 'removeBookFromPupil'] as const)
    expect([name, api[name].permission]).toEqual([name, 'manage_books']);
});

test('admins are allowed every action in a school', () => {
  const denied = Object.keys(schoolActions).filter((action) => !roleAllows('admin', action as SchoolAction));
  expect(denied).toEqual([]);
});
