// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Invite } from '#contract/calls/invites.ts';
import type { School } from '#contract/calls/school.ts';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderInApp, signIn } from '../../testing/render-in-app.tsx';
import TeachersPage from './TeachersPage.tsx';

const makeInvite = (number: number, status: Invite['status'], expires_at = '2100-01-02T12:00:00.000Z'): Invite => ({
  id: `7a1c0000-0000-4000-8000-00000000000${number}`,
  status,
  email: `${status}@school.example`,
  name: 'Robin Reed',
  created_at: '2026-11-18T12:00:00.000Z',
  expires_at,
  is_held: false,
  role: 'teacher',
  groups: [],
  inviter: { id: 3, first_name: 'Ada', last_name: 'Okafor' },
});
const INVITES = [
  makeInvite(1, 'pending'),
  makeInvite(2, 'accepted'),
  makeInvite(3, 'expired', '2026-11-19T12:00:00.000Z'),
  makeInvite(4, 'declined'),
];
const RESEND = `POST /v1/enterprises/7/invites/${INVITES[0]!.id}/resend`;

const makeMember = (id: number, first_name: string, role: 'admin' | 'teacher'): School['users'][number] => ({
  id,
  first_name,
  last_name: 'Finch',
  email: `${first_name}@school.example`,
  enterprise_user_role: role,
  user_manages: id !== 3,
});

/** Shows the page of a school with two admins and a teacher. */
function showTeachers(role: 'admin' | 'teacher', resend: () => object = () => ({ invite: INVITES[0]! })) {
  signIn(makeUser({ enterprise_user_role: role }));
  const users = [makeMember(3, 'Ada', role), makeMember(4, 'Bea', 'admin'), makeMember(5, 'Tom', 'teacher')];
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ users, user_manages: role === 'admin' }),
    }),
    'GET /v1/enterprises/7/invites': () => ({ invites: INVITES }),
    [RESEND]: resend,
  });
  return { ...renderInApp(<TeachersPage />, '/teachers'), sent };
}

const rowOf = async (name: string) => within(await screen.findByRole('row', { name: new RegExp(name) }));

it('shows an admin what admins and teachers are allowed', async () => {
  const { user } = showTeachers('admin');
  await user.click(await screen.findByRole('button', { name: 'View Permissions' }));
  const table = within(await screen.findByRole('dialog', { name: 'Permissions' })).getByRole('table');
  const rows = within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => {
      const [admin, teacher] = within(row).getAllByRole('cell');
      const answer = (cell: HTMLElement | undefined) =>
        [within(cell!).getByRole('img').getAttribute('aria-label'), cell!.textContent].filter(Boolean).join(', ');
      return [within(row).getByRole('rowheader').textContent, answer(admin), answer(teacher)];
    });
  expect(rows).toEqual([
    ['Add Teacher', 'Yes', 'No'],
    ['Delete Teacher', 'Yes', 'No'],
    ['Delete Pupils from School', 'Yes', 'No'],
    ['Promote to Admin', 'Yes', 'No'],
    ['Demote from Admin', 'Yes', 'No'],
    ['Add Pupils to School', 'Yes', 'Yes'],
    ['Create Class', 'Yes', 'Yes'],
    ['Delete Class', 'Yes', 'Yes, own classes only'],
    ['Add/Remove Pupils to/from Class', 'Yes', 'Yes, own classes only'],
    ['Move Pupils', 'Yes', 'Yes, own classes only'],
    ['Assign/Remove Books to/from Class and Pupils', 'Yes', 'Yes, own classes only'],
    ['Reset Passwords', 'Yes', 'Yes, own classes only'],
    ['Assign/Remove Teacher to/from Class', 'Yes', 'Yes, own classes only'],
    ['Edit Account Details', 'Yes', 'Yes'],
  ]);
});

it('offers to promote a teacher and to demote another admin, and nothing for oneself', async () => {
  showTeachers('admin');
  const tom = await rowOf('Tom Finch');
  expect(tom.getByRole('button', { name: 'Promote Tom Finch', hidden: true })).toBeTruthy();
  expect(tom.queryByRole('button', { name: /^Demote/, hidden: true })).toBeNull();
  const bea = await rowOf('Bea Finch');
  expect(bea.getByRole('button', { name: 'Demote Bea Finch', hidden: true })).toBeTruthy();
  expect(bea.queryByRole('button', { name: /^Promote/, hidden: true })).toBeNull();
  expect((await rowOf('Ada Finch')).queryByRole('button', { hidden: true })).toBeNull();
});

it('lists invitations with their dates and inviter, without the expiry of one that has expired', async () => {
  showTeachers('admin');
  const table = await screen.findByRole('table', { name: 'Invitations' });
  const textsOf = (status: string) =>
    within(within(table).getByRole('row', { name: new RegExp(`^${status}@`) }))
      .getAllByRole('cell')
      .map(({ textContent }) => textContent);
  expect(textsOf('pending').slice(0, 7)).toEqual([
    'pending@school.example',
    'NameRobin Reed',
    'Joins asTeacher',
    'StatusPending',
    'Created18 November 2026',
    'Expires2 January 2100',
    'Invited byAda Okafor',
  ]);
  expect(textsOf('expired').slice(3, 6)).toEqual(['StatusExpired', 'Created18 November 2026', 'Expires']);
});

it('offers to resend pending and expired invitations, and to delete pending ones', async () => {
  showTeachers('admin');
  const buttons = async (status: string) =>
    (await rowOf(`^${status}@`))
      .queryAllByRole('button', { hidden: true })
      .map((button) => button.getAttribute('aria-label'));
  expect(await buttons('pending')).toEqual([
    'Resend the invitation to pending@school.example',
    'Delete the invitation to pending@school.example',
  ]);
  expect(await buttons('expired')).toEqual(['Resend the invitation to expired@school.example']);
  expect(await buttons('accepted')).toEqual([]);
  expect(await buttons('declined')).toEqual([]);
});

it('shows Resending and then Resent on the button of an invitation', async () => {
  let answer = () => {};
  const { user } = showTeachers('admin');
  const others = fetch;
  const isAnswered = new Promise<void>((resolve) => (answer = resolve));
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') await isAnswered;
    return others(url, init);
  });
  const button = await screen.findByRole('button', { name: 'Resend the invitation to pending@school.example' });
  await user.click(button);
  await waitFor(() => expect(button.textContent).toBe('Resending'));
  answer();
  await waitFor(() => expect(button.textContent).toBe('Resent'));
});

it('resets the button without a message when an invitation could not be resent', async () => {
  const { user, sent } = showTeachers('admin', () =>
    rejectWith(500, { error: 'An error occurred', error_type: 'server' }),
  );
  const button = await screen.findByRole('button', { name: 'Resend the invitation to pending@school.example' });
  await user.click(button);
  await waitFor(() => expect(sent[RESEND]).toHaveLength(1));
  await waitFor(() => expect(button).toHaveProperty('disabled', false));
  expect(button.textContent).toBe('Resend');
  expect(screen.queryByText('An error occurred')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('shows a teacher the staff without invitations, Add Teacher, the permissions and actions', async () => {
  const { sent } = showTeachers('teacher');
  expect((await rowOf('Bea Finch')).queryByRole('button', { hidden: true })).toBeNull();
  expect(screen.queryByRole('heading', { name: 'Invitations' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Add Teacher' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'View Permissions' })).toBeNull();
  expect(sent['GET /v1/enterprises/7/invites']).toBeUndefined();
});

it('shows an admin the invitations and Add Teacher', async () => {
  showTeachers('admin');
  expect(await screen.findByRole('heading', { name: 'Invitations' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Add Teacher' })).toBeTruthy();
});
