// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { useLocation, useSearchParams } from '../../../shared/router.ts';
import { afterEach, describe, expect, it } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { getSession } from '../../../shared/session.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import InvitePage from './InvitePage.tsx';
import { ArrivalNotice } from './components/ArrivalNotice.tsx';
import { forgetInvite, readInvite, storeInvite } from './model/stored-invite.ts';

const ID = '5f0c1c1e-0000-4000-8000-000000000001';
const INVITE = {
  id: ID,
  status: 'pending',
  email: 'ada@school.example',
  name: 'Ada Okafor',
  created_at: '2026-11-18T12:00:00.000Z',
  expires_at: '2099-12-02T12:00:00.000Z',
  enterprise: { name: 'Oak Row' },
  sign_in_providers: [],
};
const ACCEPT = `POST /v1/enterprises/invites/${ID}/accept`;
const DECLINE = `POST /v1/enterprises/invites/${ID}/decline`;
const CHILD = { id: 1, name: 'Ivy', type: 'child' };
const DEMO = { id: 2, name: 'Demo', type: 'demo' };
const SCHOOLLESS = { enterprise: null, enterprise_id: null, enterprise_user_role: null } as const;

afterEach(forgetInvite);

/** The part of the login page that says why a page led to it. */
const Login = () => (
  <>
    <h1>Log in</h1>
    <ArrivalNotice action={useSearchParams()[0].get('action')} invitedEmail={undefined} />
  </>
);

/** Opens the invitation that the user stored before the login. */
function visit(more: Partial<User>) {
  signIn(makeUser({ ...SCHOOLLESS, readers: [], ...more }));
  storeInvite(ID);
  const sent = fakeApi({
    [`GET /v1/enterprises/invites/${ID}`]: () => ({ invite: INVITE }),
    [ACCEPT]: () => ({}),
    [DECLINE]: () => ({}),
    'GET /v1/users/me': () => ({ user: makeUser() }),
    'POST /logout': () => new Response(null, { status: 204 }),
  });
  const routes = [
    { path: '/invite/:id', Component: InvitePage },
    { path: '/', element: <h1>Dashboard</h1> },
    { path: '/logout', element: <h1>Logging out</h1> },
    { path: '/login', Component: () => <h1>Log in{useLocation().search}</h1> },
  ];
  const { user } = renderRoutes(routes, `/invite/${ID}`);
  const answers = () => [sent[ACCEPT]?.length ?? 0, sent[DECLINE]?.length ?? 0];
  return { user, answers };
}

describe('after a login with a stored invitation', () => {
  it.each<[string, Partial<User>]>([
    ['a user of a school account', { readers: [CHILD] }],
    ['a private account without profiles', { user_type: 'standard' }],
    ['a private account with a demo profile alone', { user_type: 'standard', readers: [DEMO] }],
  ])('%s joins at once', async (_who, more) => {
    const { answers } = visit(more);
    await screen.findByRole('heading', { name: 'Dashboard' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect([answers(), readInvite(), getSession()?.user.enterprise?.id]).toEqual([[1, 0], null, 7]);
  });

  it('a private account joins only when Yes confirms that its profiles are deleted', async () => {
    const { user, answers } = visit({ user_type: 'standard', readers: [CHILD, DEMO] });
    await screen.findByText(/deletes the 1 reader of your own account: Ivy/);
    expect(answers()).toEqual([0, 0]);
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    await screen.findByRole('heading', { name: 'Dashboard' });
    expect(answers()).toEqual([1, 0]);
  });

  it('No declines the invitation, forgets it, logs out and says so at the login', async () => {
    const { user, answers } = visit({ user_type: 'standard', readers: [CHILD] });
    await user.click(await screen.findByRole('button', { name: 'No' }));
    await screen.findByRole('heading', { name: 'Log in?action=decline' });
    expect([answers(), readInvite(), getSession()]).toEqual([[0, 1], null, null]);
  });

  it('closing the question logs out, and answers nothing', async () => {
    const { user, answers } = visit({ user_type: 'standard', readers: [CHILD] });
    await screen.findByRole('button', { name: 'No' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Logging out' })).not.toBeNull());
    expect(answers()).toEqual([0, 0]);
  });
});

describe('opened by a guest', () => {
  const open = (reply: () => object) => {
    fakeApi({ [`GET /v1/enterprises/invites/${ID}`]: reply });
    const routes = [
      { path: '/invite/:id', Component: InvitePage },
      { path: '/login', Component: Login },
    ];
    return renderRoutes(routes, `/invite/${ID}`);
  };

  it('a pending invitation offers a guest to register, to log in or to decline', async () => {
    open(() => ({ invite: INVITE }));
    await screen.findByRole('heading', { level: 1, name: 'Join Oak Row' });
    const buttons = screen.getAllByRole('button').map((button) => button.textContent);
    expect(buttons).toEqual(['Register', 'Log in', 'Decline']);
  });

  it.each([
    ['accepted', 'This invitation has already been accepted.'],
    ['declined', 'This invitation was declined.'],
    ['expired', 'This invitation has expired.'],
  ])('an invitation that is %s leads to the login, which says “%s”', async (status, text) => {
    open(() => ({ invite: { ...INVITE, status } }));
    await screen.findByRole('heading', { level: 1, name: 'Log in' });
    expect(screen.getByText(new RegExp(`^${text}`))).toBeTruthy();
  });

  it('an invitation that does not exist leads to the login, which says so', async () => {
    open(() => rejectWith(404, { error: 'Gone', error_type: 'not_found' }));
    await screen.findByRole('heading', { level: 1, name: 'Log in' });
    expect(screen.getByText(/^This invitation no longer exists./)).toBeTruthy();
  });
});
