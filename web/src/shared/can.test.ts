import { expect, it } from 'vitest';
import { can } from './can.ts';

const admin = { enterprise_id: 7, enterprise_user_role: 'admin', role: 'admin' } as const;
const teacher = { enterprise_id: 7, enterprise_user_role: 'teacher', role: 'teacher' } as const;
const schoolless = { enterprise_id: null, enterprise_user_role: null, role: null };

it('an administrator has the rights that only administrators have', () => {
  expect(can(admin, 'manage_subscription')).toBe(true);
  expect(can(teacher, 'manage_subscription')).toBe(false);
  expect(can(teacher, 'manage_books')).toBe(true);
});

it('rights follow the `user_manages` of the school', () => {
  expect(can(admin, 'edit_school', { user_manages: false })).toBe(false);
  expect(can(admin, 'edit_school', { user_manages: true })).toBe(true);
  expect(can(teacher, 'manage_books', { user_manages: false })).toBe(true);
});

it('a user without a school can add a school, and do nothing else', () => {
  expect(can(schoolless, 'add_school')).toBe(true);
  expect(can(schoolless, 'view_school')).toBe(false);
  expect(can(admin, 'add_school')).toBe(false);
});

it.each(['edit_school', 'add_teacher', 'edit_teacher', 'delete_teacher', 'manage_subscription'] as const)(
  'allows %s only to an admin whose school’s record says that they manage it',
  (right) => {
    expect(can(admin, right, { user_manages: true })).toBe(true);
    expect(can(admin, right, { user_manages: false })).toBe(false);
    expect(can(teacher, right, { user_manages: false })).toBe(false);
    expect(can(teacher, right)).toBe(false);
  },
);
