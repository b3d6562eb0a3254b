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
const EVE = person(2, 'Eve', 'admin');
const ME = person(3, 'Ada', 'teacher');
const COLLEAGUE = person(4, 'Cleo', 'teacher');
const OPEN: NonNullable<School['admin_request']> = {
  id: 33,
  requested_by: { id: 3, name: 'Ada Marsh' },
  new_admin: { id: 4, name: 'Cleo Marsh' },
  former_admins: [{ id: 1, name: 'Ben Marsh' }],
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
  expect(screen.getByText('You confirm that Ben Marsh has left.')).toBeTruthy();
  await user.type(screen.getByLabelText('What should we know? (optional)'), 'Left in July');
  await user.click(screen.getByRole('button', { name: 'Ask us to appoint an admin' }));
  await screen.findByText('Cleo Marsh in place of Ben Marsh');
  expect(sent[`POST ${REQUEST}`]).toEqual([{ former_admin_ids: [1], new_admin_id: 4, note: 'Left in July' }]);
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

it('a teacher of a school with two admins is sent to them first, and confirms that both have left', async () => {
  const { user, sent } = showPage({ users: [ADMIN, EVE, ME, COLLEAGUE] });
  expect(await screen.findByText(/If one of them is still here, ask them: an admin can make you one/)).toBeTruthy();
  expect(screen.getByText('Ben Marsh').parentElement?.textContent).toBe('Ben MarshEve Marsh');
  expect(screen.getByText('You confirm that Ben Marsh and Eve Marsh have left.')).toBeTruthy();
  const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
  expect(options).toEqual(['Ada Marsh (you)', 'Cleo Marsh']);
  await user.click(screen.getByRole('button', { name: 'Ask us to appoint an admin' }));
  await screen.findByText(/in place of/);
  expect(sent[`POST ${REQUEST}`]).toEqual([{ former_admin_ids: [1, 2], new_admin_id: 3, note: null }]);
});

it('a request about two admins names both', async () => {
  const former_admins = [...OPEN.former_admins, { id: 2, name: 'Eve Marsh' }];
  showPage({ users: [ADMIN, EVE, ME], admin_request: { ...OPEN, former_admins, due_at: '2026-11-20T12:00:00.000Z' } });
  await screen.findByText('Cleo Marsh in place of Ben Marsh and Eve Marsh');
  expect(screen.getByText(/told us that Ben Marsh and Eve Marsh have left/)).toBeTruthy();
  expect(screen.getByText(/Ben Marsh and Eve Marsh no longer have access/)).toBeTruthy();
});

it('a closed school has no form to ask for an admin', async () => {
  showPage({ access: 'closed' });
  await screen.findByText(/Only staff of an open school can ask for this/);
});
