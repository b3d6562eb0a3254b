// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { setPreference } from '../../../../shared/preferences.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { nextSeptember } from '../model/next-september.ts';
import { SecondAdminNotice } from './SecondAdminNotice.tsx';
import { SpeakToAdmin } from './SpeakToAdmin.tsx';

const person = (id: number, first_name: string, role: 'admin' | 'teacher'): School['users'][number] => ({
  id,
  first_name,
  last_name: 'Marsh',
  email: `${id}@school.example`,
  enterprise_user_role: role,
  role,
  user_manages: false,
});
const users = [person(1, 'Ben', 'admin'), person(3, 'Ada', 'teacher')];

const show = (userId: number, more: Partial<School> = {}) => {
  const role = userId === 1 ? 'admin' : 'teacher';
  signIn(makeUser({ id: userId, enterprise_user_role: role, role }));
  return renderInApp(<SecondAdminNotice school={makeSchool({ users, second_admin: 'due', ...more })} />);
};

beforeEach(() => {
  vi.useRealTimers();
  setPreference('secondAdmin', null);
});

it('the only admin is asked for a second one, and “Not now” hides it until next September', async () => {
  const { user, unmount } = show(1);
  await user.click(screen.getByRole('button', { name: 'Not now' }));
  expect(screen.queryByText('You are the only admin of your school')).toBeNull();
  unmount();
  show(1);
  expect(screen.queryByText('You are the only admin of your school')).toBeNull();
  expect([nextSeptember('2026-08-31'), nextSeptember('2026-09-01')]).toEqual(['2026-09-01', '2027-09-01']);
});

it('the only admin is asked again once September has come', () => {
  setPreference('secondAdmin', '2020-09-01');
  show(1);
  expect(screen.getByText('You are the only admin of your school')).toBeTruthy();
});

it('teachers see that the only admin is away, and nothing before', () => {
  const { unmount } = show(3);
  expect(screen.queryByText(/manages your school/)).toBeNull();
  unmount();
  show(3, { second_admin: 'away' });
  expect(screen.getByText(/Only Ben Marsh manages your school/)).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Has Ben Marsh left? Tell us' })).toBeTruthy();
});

it.each([
  [users, 'please speak to your school administrator, Ben Marsh.', 'Has Ben Marsh left? Tell us'],
  [
    [...users, person(2, 'Eve', 'admin')],
    'please speak to your school administrator, Ben Marsh or Eve Marsh.',
    'Have Ben Marsh and Eve Marsh left? Tell us',
  ],
])('a closed page names the admins, and has a link for when all of them have left', async (staff, text, link) => {
  signIn(makeUser({ id: 3, enterprise_user_role: 'teacher', role: 'teacher' }));
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ users: staff }) }) });
  renderInApp(<SpeakToAdmin what="To unlock it" />);
  expect(await screen.findByText(new RegExp(text))).toBeTruthy();
  expect(screen.getByRole('link', { name: link })).toBeTruthy();
});

it('a closed page leads to the request for a new admin while there is one', async () => {
  signIn(makeUser({ id: 3, enterprise_user_role: 'teacher', role: 'teacher' }));
  const request = { requested_by: null, new_admin: null, former_admins: [], requested_at: '2026-11-30T09:00:00.000Z' };
  const school = makeSchool({ users, admin_request: { id: 5, ...request, due_at: null } });
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }) });
  renderInApp(<SpeakToAdmin what="To unlock it" />);
  expect(await screen.findByRole('link', { name: 'See the request for a new admin' })).toBeTruthy();
  expect(screen.queryByRole('link', { name: /left\? Tell us/ })).toBeNull();
});
