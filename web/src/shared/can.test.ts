import { expect, it } from 'vitest';
import { can } from './can.ts';

const admin = { enterprise_id: 7, enterprise_user_role: 'admin' } as const;
const teacher = { enterprise_id: 7, enterprise_user_role: 'teacher' } as const;
const nobody = { enterprise_id: null, enterprise_user_role: null };

it('gives administrators what only they may do', () => {
  expect(can(admin, 'manage_subscription')).toBe(true);
  expect(can(teacher, 'manage_subscription')).toBe(false);
  expect(can(teacher, 'manage_books')).toBe(true);
});

it('lets the school’s record have the last word on that', () => {
  expect(can(admin, 'edit_school', { user_manages: false })).toBe(false);
  expect(can(admin, 'edit_school', { user_manages: true })).toBe(true);
  expect(can(teacher, 'manage_books', { user_manages: false })).toBe(true);
});

it('lets only those without a school add one, and nothing else', () => {
  expect(can(nobody, 'add_school')).toBe(true);
  expect(can(nobody, 'view_school')).toBe(false);
  expect(can(admin, 'add_school')).toBe(false);
});
