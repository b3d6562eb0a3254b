// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Role } from '#contract/permissions.ts';
import { useLocation } from '../../../shared/router.ts';
import { getSession } from '../../../shared/session.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser, makeUserOfTwo } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import JoinSchoolPage from './JoinSchoolPage.tsx';

const ID = '5f0c1c1e-0000-4000-8000-000000000001';
const ACCEPT = `POST /v1/enterprises/invites/${ID}/accept`;
const PROOF = 'POST /v1/users/me/proof';

const Schools = () => <p>{JSON.stringify(useLocation().state)}</p>;

function open(replies: Parameters<typeof fakeApi>[0] = {}, role: Role = 'teacher') {
  signIn(makeUser());
  let isProved = false;
  const sent = fakeApi({
    [`GET /v1/enterprises/invites/${ID}`]: () => ({ invite: { id: ID, role, enterprise: { name: 'Elm Street' } } }),
    [ACCEPT]: () => (isProved ? { enterprise_id: 8 } : rejectWith(409, { error: 'Prove it', code: 'proof_required' })),
    [PROOF]: () => {
      isProved = true;
      return {};
    },
    'GET /v1/users/me/factors': () => ({ factors: [], recovery_codes: 0 }),
    'GET /v1/users/me': () => ({ user: makeUserOfTwo() }),
    ...replies,
  });
  const routes = [
    { path: '/account/schools/join/:inviteId', element: <JoinSchoolPage /> },
    { path: '/account/schools', element: <Schools /> },
  ];
  return { sent, ...renderRoutes(routes, `/account/schools/join/${ID}`) };
}

it('a user who works at a school proves who they are, joins the other and goes on to switch to it', async () => {
  const { user, sent } = open();
  await screen.findByRole('heading', { level: 1, name: 'Join Elm Street' });
  expect(screen.getByText(/You already work at Oak Row with this account/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Confirm and join' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  await user.type(dialog.getByLabelText('Current password'), 'reading-1');
  await user.click(dialog.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('{"switchTo":8}')).toBeTruthy();
  expect(sent[ACCEPT]).toHaveLength(2);
  expect(getSession()?.user.memberships.map(({ enterprise: school }) => school.id)).toEqual([8, 7]);
});

it('a user who cannot join reads why', async () => {
  const { user } = open({
    [ACCEPT]: () => rejectWith(409, { error: 'You already work at this school.', code: 'already_on_staff' }),
  });
  await user.click(await screen.findByRole('button', { name: 'Confirm and join' }));
  expect((await screen.findByRole('alert')).textContent).toContain('You already work at this school.');
});

it('an invitation that cannot be loaded says why', async () => {
  open({ [`GET /v1/enterprises/invites/${ID}`]: () => rejectWith(404, { error: 'No such invitation.' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('No such invitation.');
});

it('an invitation names the role in which the user joins, except for a teacher', async () => {
  open({}, 'business_manager');
  expect(await screen.findByText('Elm Street invites you to join as a business manager.')).toBeTruthy();
  cleanup();
  open();
  await screen.findByRole('heading', { level: 1, name: 'Join Elm Street' });
  expect(screen.queryByText(/invites you to join/)).toBeNull();
});
