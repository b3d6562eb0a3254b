// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { School } from '#contract/calls/school.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import AppointAdminPage from './AppointAdminPage.tsx';

const REQUEST = '/v1/enterprises/7/admin-request';
const person = (id: number, first_name: string, role: 'admin' | 'teacher'): School['users'][number] => ({
  id,
  first_name,
  last_name: 'Marsh',
  email: `${first_name.toLowerCase()}@school.example`,
  enterprise_user_role: role,
  role,
  user_manages: false,
});
const ADMIN = person(1, 'Ben', 'admin');
const ME = person(3, 'Ada', 'teacher');
const COLLEAGUE = person(4, 'Cleo', 'teacher');
const OPEN: NonNullable<School['admin_request']> = {
  id: 33,
  requested_by: { id: 3, name: 'Ada Marsh' },
  new_admin: { id: 4, name: 'Cleo Marsh' },
  former_admin: { id: 1, name: 'Ben Marsh' },
  requested_at: '2026-11-18T12:00:00.000Z',
  due_at: null,
};

function showPage(more: Partial<School>, me = ME) {
  signIn(makeUser({ id: me.id, enterprise_user_role: me.enterprise_user_role, role: me.role }));
  let school = makeSchool({
    users: [ADMIN, ME, COLLEAGUE],
    user_manages: me.enterprise_user_role === 'admin',
    ...more,
  });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }),
    [`POST ${REQUEST}`]: () => {
      school = { ...school, admin_request: OPEN };
      return {};
    },
    [`DELETE ${REQUEST}/33`]: () => {
      school = { ...school, admin_request: null };
      return {};
    },
  });
  const routes = [{ path: '/school/appoint-admin', Component: AppointAdminPage }];
  return { ...renderRoutes(routes, '/school/appoint-admin'), sent };
}

it('a teacher asks to appoint a colleague in place of the only admin, and can withdraw it', async () => {
  const { user, sent } = showPage({ access: 'locked' });
  await user.selectOptions(await screen.findByLabelText('Who should be the new admin?'), 'Cleo Marsh');
  await user.type(screen.getByLabelText('What should we know? (optional)'), 'Left in July');
  await user.click(screen.getByRole('button', { name: 'Ask us to appoint an admin' }));
  await screen.findByText('Cleo Marsh in place of Ben Marsh');
  expect(sent[`POST ${REQUEST}`]).toEqual([{ former_admin_id: 1, new_admin_id: 4, note: 'Left in July' }]);
  expect(screen.getByText(/decide by 2 December 2026/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Withdraw the request' }));
  await screen.findByLabelText('Who should be the new admin?');
});

it('the admin sees when the appointment takes effect and stops it', async () => {
  const { user, sent } = showPage({ admin_request: { ...OPEN, due_at: '2026-11-20T12:00:00.000Z' } }, ADMIN);
  expect(await screen.findByText(/On 20 November 2026 at 12:00 Cleo Marsh becomes an admin/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Stop it' }));
  await screen.findByText(/You are an admin/);
  expect(sent[`DELETE ${REQUEST}/33`]).toHaveLength(1);
});

it('another teacher sees the appointment without a button to stop it', async () => {
  showPage({ admin_request: OPEN }, person(5, 'Dan', 'teacher'));
  await screen.findByText('Cleo Marsh in place of Ben Marsh');
  expect(screen.queryByRole('button')).toBeNull();
});

it('a teacher of a school with two admins is sent to them', async () => {
  showPage({ users: [ADMIN, person(2, 'Eve', 'admin'), ME] });
  expect(await screen.findByText(/Ben Marsh or Eve Marsh can make you an admin/)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Ask us to appoint an admin' })).toBeNull();
});

it('a closed school has no form to ask for an admin', async () => {
  showPage({ access: 'closed' });
  await screen.findByText(/Only staff of an open school can ask for this/);
});
