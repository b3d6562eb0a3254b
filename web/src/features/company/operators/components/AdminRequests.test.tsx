// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { OpenAdminRequest } from '#contract/calls/admin-requests.ts';
import { fakeApi } from '../../../../testing/fake-api.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../../testing/render-in-app.tsx';
import { AdminRequest } from './AdminRequests.tsx';

const person = (id: number, name: string, last_used_at: string | null) => ({
  id,
  name,
  email: `${id}@school.example`,
  last_used_at,
});
const BEN = person(1, 'Ben Marsh', '2026-07-20T12:00:00.000Z');
const EVE = person(2, 'Eve Marsh', null);
const ADA = person(3, 'Ada Marsh', '2026-11-18T12:00:00.000Z');

function show(former_admins: OpenAdminRequest['former_admins']) {
  signIn(makeUser());
  const request: OpenAdminRequest = {
    id: 33,
    school: { id: 7, name: 'Mill Lane School' },
    requested_by: ADA,
    new_admin: ADA,
    former_admins,
    note: null,
    requested_at: '2026-11-18T12:00:00.000Z',
    check: null,
    due_at: null,
  };
  fakeApi({ 'GET /v1/admin/admin-requests': () => ({ requests: [request] }) });
  return renderInApp(<AdminRequest schoolId={7} />);
}

it('operators see the only admin of a request, with the last use', async () => {
  show([BEN]);
  expect(await screen.findByText(/that the only admin, Ben Marsh, has left/)).toBeTruthy();
  expect(screen.getByText(/Ben Marsh, 1@school.example, last used the school on 20 July 2026/)).toBeTruthy();
});

it('operators see every admin of a request with their own last use, and check that all have left', async () => {
  const { user } = show([BEN, EVE]);
  expect(await screen.findByText(/that all admins, Ben Marsh and Eve Marsh, have left/)).toBeTruthy();
  expect(screen.getByText(/Ben Marsh, 1@school.example, last used the school on 20 July 2026/)).toBeTruthy();
  expect(screen.getByText(/Eve Marsh, 2@school.example, no login in 12 months/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Record a check' }));
  expect(await screen.findByText(/whether Ben Marsh and Eve Marsh have left/)).toBeTruthy();
});
