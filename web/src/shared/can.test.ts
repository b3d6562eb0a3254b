import { afterEach, expect, it, vi } from 'vitest';
import { ROLES, type Role, roleAllows, type SchoolAction, schoolActions } from '#contract/permissions.ts';
import {
  can,
  canAssignBooks,
  canEditPupil,
  canEditPupils,
  canReadClassDetails,
  canReadDetails,
  canRenewLogin,
  coverOf,
} from './can.ts';

const member = (role: Role) => ({ enterprise_id: 7, role });
const admin = member('admin');
const teacher = member('teacher');
const schoolless = { enterprise_id: null, role: null };

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

it.each(ROLES)('the role %s has the rights of its calls', (role) => {
  for (const action of Object.keys(schoolActions) as SchoolAction[])
    expect([action, can(member(role), action)]).toEqual([action, roleAllows(role, action)]);
});

it('the school’s record, which lets only admins manage it, takes no right from another role', () => {
  expect(can(member('business_manager'), 'manage_subscription', { user_manages: false })).toBe(true);
  expect(can(member('data_protection_officer'), 'manage_requests', { user_manages: false })).toBe(true);
  expect(can(member('reading_lead'), 'manage_reasons', { user_manages: false })).toBe(true);
});

it('admins and reading leads start with the whole school, and no other role does', () => {
  expect(ROLES.filter((role) => can(member(role), 'see_all_classes'))).toEqual(['admin', 'reading_lead']);
});

const inClass = (can_update: boolean) => ({ can_update, group: { id: 4, name: '3 Badgers' } });

/** For each role: what it can do for the pupils of its own classes, and for those of others. */
it.each([
  ['admin', { details: [true, true], books: [true, true], logins: [true, true] }],
  ['teacher', { details: [true, false], books: [true, false], logins: [true, false] }],
  ['reading_lead', { details: [true, true], books: [true, true], logins: [true, false] }],
] as const)('the role %s reads details, assigns books and renews logins: %j', (role, { details, books, logins }) => {
  const user = member(role);
  const both = [true, role === 'admin'];
  expect(both.map((canUpdate) => canReadDetails(user, inClass(canUpdate)))).toEqual(details);
  expect(both.map((canChange) => canReadClassDetails(user, { user_manages: canChange }))).toEqual(details);
  expect(both.map((canChange) => canAssignBooks(user, canChange))).toEqual(books);
  expect(both.map((canUpdate) => canRenewLogin(user, inClass(canUpdate)))).toEqual(logins);
});

it('a teaching assistant renews logins of the pupils they see, reads no details and assigns no books', () => {
  const assistant = member('teaching_assistant');
  expect(canRenewLogin(assistant, inClass(false))).toBe(true);
  expect(canReadDetails(assistant, inClass(false))).toBe(false);
  expect(canReadClassDetails(assistant, { user_manages: false })).toBe(false);
  expect(canAssignBooks(assistant, false)).toBe(false);
});

it.each(['business_manager', 'data_protection_officer'] as const)('the role %s can do nothing for a pupil', (role) => {
  const user = member(role);
  expect(canRenewLogin(user, inClass(false))).toBe(false);
  expect(canReadDetails(user, inClass(false))).toBe(false);
  expect(canReadClassDetails(user, { user_manages: false })).toBe(false);
  expect(canAssignBooks(user, false)).toBe(false);
});

it('a teacher reads no details of a pupil without a class, whom they can change', () => {
  expect(canReadDetails(teacher, { can_update: true, group: null })).toBe(false);
  expect(canReadDetails(member('reading_lead'), { can_update: true, group: null })).toBe(true);
});

const BADGERS = { group_id: 4, ends_at: '2026-11-27T15:30:00.000Z' };
const setTime = (now: string) => vi.useFakeTimers({ now: new Date(now) });
afterEach(() => void vi.useRealTimers());

it.each(['teacher', 'reading_lead', 'teaching_assistant', 'supply_teacher'] as const)(
  'the role %s can edit the pupils of a class that they cover, and renew their logins, until the cover ends',
  (role) => {
    const user = { ...member(role), covers: [BADGERS] };
    setTime('2026-11-27T15:29:59Z');
    expect(coverOf(user, 4)).toBe(BADGERS);
    expect(canEditPupil(user, inClass(false))).toBe(true);
    expect(canEditPupils(user)).toBe(true);
    expect(canRenewLogin(user, inClass(false))).toBe(true);
    setTime('2026-11-27T15:30:00Z');
    expect(coverOf(user, 4)).toBeUndefined();
    expect(canEditPupil(user, inClass(false))).toBe(false);
    // Teachers have classes of their own, and teaching assistants and supply teachers see no pupils of others.
    expect(canEditPupils(user)).toBe(role === 'teacher' || role === 'reading_lead');
    expect(canRenewLogin(user, inClass(false))).toBe(role === 'teaching_assistant' || role === 'supply_teacher');
  },
);

it('a cover gives no rights to pupils of another class or without one, and none to details and books', () => {
  setTime('2026-11-27T09:00:00Z');
  const user = { ...teacher, covers: [BADGERS] };
  expect(canEditPupil(user, { can_update: false, group: { id: 5 } })).toBe(false);
  expect(canEditPupil(user, { can_update: false, group: null })).toBe(false);
  expect(canRenewLogin(user, { can_update: false, group: { id: 5 } })).toBe(false);
  expect(canReadDetails(user, inClass(false))).toBe(false);
  expect(canReadClassDetails(user, { user_manages: false })).toBe(false);
  expect(canAssignBooks(user, false)).toBe(false);
});

it('a user whose session was stored before there were covers covers nothing', () => {
  expect(coverOf(teacher, 4)).toBeUndefined();
  expect(canEditPupils(member('teaching_assistant'))).toBe(false);
});
