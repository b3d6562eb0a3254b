// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { Invite } from '#contract/calls/invites.ts';
import type { School } from '#contract/calls/school.ts';
import { type AssignableRole, toSpecifiedRole } from '#contract/permissions.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import TeachersPage from './TeachersPage.tsx';

type Person = School['users'][number];

const makePerson = (id: number, first_name: string, role: AssignableRole): Person => ({
  id,
  first_name,
  last_name: 'Okafor',
  email: `${first_name.toLowerCase()}@school.example`,
  user_manages: true,
  enterprise_user_role: toSpecifiedRole(role),
  role,
});

const inviteId = (digit: number) => `7a1c0000-0000-4000-8000-00000000000${digit}`;

const makeInvite = (digit: number, status: Invite['status'], expires_at = '2099-12-04T09:00:00.000Z'): Invite => ({
  id: inviteId(digit),
  status,
  email: `${status}@school.example`,
  name: 'Ivy Wren',
  created_at: '2026-11-20T09:00:00.000Z',
  expires_at,
  is_held: false,
  role: 'teacher',
  groups: [],
  inviter: { id: 4, first_name: 'Ben', last_name: 'Okafor' },
  delivery: null,
});

/** Shows the page to Ada. `heldBy` has an invitation that waits until they have confirmed their address. */
async function showTeachers(
  role: AssignableRole,
  heldBy?: NonNullable<Invite['inviter']>,
  delivery: Invite['delivery'] = null,
) {
  signIn(makeUser({ enterprise_user_role: toSpecifiedRole(role), role }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({
        users: [makePerson(3, 'Ada', role), makePerson(4, 'Ben', 'admin'), makePerson(5, 'Cleo', 'teacher')],
        user_manages: role === 'admin',
      }),
    }),
    'GET /v1/enterprises/7/invites': () => ({
      invites: [
        { ...makeInvite(1, 'pending'), delivery },
        makeInvite(2, 'accepted'),
        makeInvite(3, 'expired', '2020-01-02T09:00:00.000Z'),
        makeInvite(4, 'declined'),
        ...(heldBy
          ? [{ ...makeInvite(5, 'pending'), email: 'held@school.example', is_held: true, inviter: heldBy }]
          : []),
      ],
    }),
  });
  const page = renderInApp(<TeachersPage />, '/teachers');
  await screen.findByRole('row', { name: /^Cleo Okafor/ });
  return page;
}

/** Answers the Resend of the pending invitation when the test says so. */
function answerResend() {
  let answer: (reply: Response) => void = () => undefined;
  const reply = new Promise<Response>((resolve) => (answer = resolve));
  const fakeFetch = fetch;
  vi.stubGlobal('fetch', (url: string, init?: RequestInit) =>
    url.includes(`/invites/${inviteId(1)}/`) ? reply : fakeFetch(url, init),
  );
  return answer;
}

const cellsOf = (row: RegExp) =>
  Array.from(screen.getByRole('row', { name: row }).children, ({ textContent }) => textContent);
/** The names of the buttons in the rows and in the menus of all rows, which it opens in turn. */
async function buttonNames(user: UserEvent, name: RegExp) {
  const names = new Set<string | null>();
  const read = () =>
    screen.queryAllByRole('button', { name }).forEach((element) => names.add(element.getAttribute('aria-label')));
  read();
  for (const menu of screen.queryAllByLabelText(/^Actions for /)) {
    await user.click(menu);
    read();
  }
  return [...names];
}
const button = (name: string) => screen.findByRole('button', { name });

it('lists the staff with their roles, and for an admin each invitation with its status, dates and inviter', async () => {
  await showTeachers('admin');
  const staff = within(screen.getByRole('table', { name: 'Teachers' }))
    .getAllByRole('row')
    .slice(1);
  expect(staff.map(({ textContent }) => textContent.replace(/Classes.*/, ''))).toEqual([
    'Ada Okafor (you)Emailada@school.exampleRoleAdmin',
    'Ben OkaforEmailben@school.exampleRoleAdmin',
    'Cleo OkaforEmailcleo@school.exampleRoleTeacher',
  ]);
  expect(cellsOf(/^pending@/).slice(0, 7)).toEqual([
    'pending@school.example',
    'NameIvy Wren',
    'Joins asTeacher',
    'StatusPending',
    'Created20 November 2026',
    'Expires4 December 2099',
    'Invited byBen Okafor',
  ]);
  expect(cellsOf(/^expired@/).slice(3, 6)).toEqual(['StatusExpired', 'Created20 November 2026', 'Expires']);
});

it('a teacher sees the staff without actions, and neither invitations, View Permissions nor Add Teacher', async () => {
  const { user } = await showTeachers('teacher');
  expect(screen.getByRole('row', { name: /^Ben Okafor/ })).toBeTruthy();
  expect(screen.queryByRole('table', { name: 'Invitations' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'View Permissions' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Add Teacher' })).toBeNull();
  expect(await buttonNames(user, /^(Promote|Demote|Delete) /)).toEqual([]);
});

it.each<[AssignableRole, boolean]>([
  ['admin', true],
  ['teacher', true],
  ['reading_lead', true],
  ['teaching_assistant', false],
  ['business_manager', false],
  ['data_protection_officer', false],
])('the classes of the staff are shown to a user who sees every class: %s, %j', async (role, isShown) => {
  await showTeachers(role);
  expect(screen.queryAllByRole('columnheader', { name: 'Classes' })).toHaveLength(isShown ? 1 : 0);
});

it('an admin has the buttons View Permissions, which shows the table, and Add Teacher', async () => {
  const { user } = await showTeachers('admin');
  expect(screen.getByRole('link', { name: 'Add Teacher' }).getAttribute('href')).toBe('/add-teacher');
  await user.click(await button('View Permissions'));
  const dialog = await screen.findByRole('dialog', { name: 'Permissions' });
  expect(within(dialog).getByRole('row', { name: /^Delete Pupils from School/ })).toBeTruthy();
});

it('View Permissions shows an admin what admins and teachers are allowed', async () => {
  const { user } = await showTeachers('admin');
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

it('offers Resend for pending and expired invitations, and Delete for pending ones only', async () => {
  const { user } = await showTeachers('admin');
  await button('Resend the invitation to pending@school.example');
  expect(await buttonNames(user, /^Resend /)).toEqual([
    'Resend the invitation to pending@school.example',
    'Resend the invitation to expired@school.example',
  ]);
  expect(await buttonNames(user, /^Delete the invitation /)).toEqual([
    'Delete the invitation to pending@school.example',
  ]);
});

it('says when an invitation is sent that waits for the user’s own address, and offers no Resend for it', async () => {
  const { user } = await showTeachers('admin', { id: 3, first_name: 'Ada', last_name: 'Okafor' });
  expect(cellsOf(/^held@/)[3]).toBe('StatusWill be sent once you have confirmed your address');
  expect(await buttonNames(user, /^Resend .* held@/)).toEqual([]);
});

it('the button of an invitation reads Resending while it is sent, and then Resent', async () => {
  const { user } = await showTeachers('admin');
  const answer = answerResend();
  await user.click(await button('Resend the invitation to pending@school.example'));
  expect((await button('Resending the invitation to pending@school.example')).textContent).toBe('Resending');
  answer(Response.json({}));
  expect((await button('Resent the invitation to pending@school.example')).textContent).toBe('Resent');
});

it('the button of an invitation reads Resend again without a message when it could not be sent', async () => {
  const { user } = await showTeachers('admin');
  const answer = answerResend();
  await user.click(await button('Resend the invitation to pending@school.example'));
  await button('Resending the invitation to pending@school.example');
  answer(rejectWith(500, { error: 'An error occurred', error_type: 'server' }));
  expect((await button('Resend the invitation to pending@school.example')).textContent).toBe('Resend');
  expect(screen.queryAllByRole('alert')).toEqual([]);
});

it('offers Promote for teachers and Demote for other admins, and neither for oneself', async () => {
  const { user } = await showTeachers('admin');
  expect(await buttonNames(user, /^(Promote|Demote) /)).toEqual(['Demote Ben Okafor', 'Promote Cleo Okafor']);
});

it('View Permissions describes the four other roles below the table', async () => {
  const { user } = await showTeachers('admin');
  await user.click(await button('View Permissions'));
  const others = within(await screen.findByRole('region', { name: 'Other roles' }));
  expect(others.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
    'Reading lead or SENCO',
    'Teaching assistant',
    'Business manager',
    'Data protection officer',
  ]);
  expect(others.getByText(/^Manages the subscription, the invoices and the contacts/)).toBeTruthy();
});

const NAMES = { id: 5, first_name: 'Cleo', last_name: 'Okafor' };

/** Shows the page with Cleo, who has the role and classes, and opens the dialog about her role. */
async function openRoleOfCleo(role: Person['role'], classes: School['groups']) {
  signIn(makeUser());
  const cleo = { ...makePerson(5, 'Cleo', 'teacher'), role };
  let school = makeSchool({ users: [makePerson(3, 'Ada', 'admin'), cleo], groups: classes });
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: school }),
    'GET /v1/enterprises/7/invites': () => ({ invites: [] }),
    'POST /v1/enterprises/7/users/5/role': (body) => {
      const chosen = (body as { role: Person['role'] }).role;
      school = { ...school, users: school.users.map((one) => (one.id === 5 ? { ...one, role: chosen } : one)) };
      return {};
    },
  });
  const page = renderInApp(<TeachersPage />, '/teachers');
  await page.user.click(await screen.findByLabelText('Actions for Cleo Okafor'));
  await page.user.click(await button('Change role of Cleo Okafor'));
  const dialog = await screen.findByRole('dialog', { name: 'Change the role of Cleo Okafor' });
  return { ...page, sent, dialog: within(dialog) };
}

it('an admin gives a colleague another role of the six, each with its summary', async () => {
  const { user, sent, dialog } = await openRoleOfCleo('teacher', []);
  expect(dialog.getAllByRole('radio')).toHaveLength(6);
  expect(dialog.getByRole('radio', { name: 'Teacher' })).toHaveProperty('checked', true);
  const wanted = dialog.getByRole('radio', { name: 'Business manager', description: /Sees no pupils\.$/ });
  await user.click(wanted);
  await user.click(dialog.getByRole('button', { name: 'Change role' }));
  expect((await screen.findAllByText('The role has been changed')).length).toBeGreaterThan(0);
  expect(sent['POST /v1/enterprises/7/users/5/role']).toEqual([{ role: 'business_manager' }]);
  expect(await screen.findByRole('row', { name: /^Cleo Okafor.*Business manager/ })).toBeTruthy();
});

it('the dialog about a role saves nothing while the role is the current one', async () => {
  const { user, sent, dialog } = await openRoleOfCleo('reading_lead', []);
  await user.click(dialog.getByRole('button', { name: 'Change role' }));
  expect(sent['POST /v1/enterprises/7/users/5/role']).toBeUndefined();
  expect(screen.getByText('Choose another role.')).toBeTruthy();
});

it('the dialog about a role says what happens to the classes of the colleague', async () => {
  const { user, dialog } = await openRoleOfCleo('teacher', [
    makeClass({ id: 1, name: '3 Badgers', teachers: [NAMES] }),
    makeClass({ id: 2, name: '4 Owls', assistants: [NAMES] }),
    makeClass({ id: 3, name: '5 Hares' }),
  ]);
  await user.click(dialog.getByRole('radio', { name: 'Data protection officer' }));
  expect(dialog.getByText('Cleo leaves 3 Badgers and 4 Owls.')).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: 'Teaching assistant' }));
  expect(dialog.getByText('Cleo stays in 3 Badgers to help, but is no longer its teacher.')).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: 'Admin' }));
  expect(dialog.getByText(/^Cleo will be able to delete pupils and staff for good/)).toBeTruthy();
  await user.click(dialog.getByRole('radio', { name: 'Reading lead or SENCO' }));
  expect(dialog.queryByText(/^Cleo /)).toBeNull();
});

it('lists the classes that a colleague teaches and those that they help in', async () => {
  await openRoleOfCleo('teaching_assistant', [
    makeClass({ id: 1, name: '3 Badgers', teachers: [NAMES] }),
    makeClass({ id: 2, name: '4 Owls', assistants: [NAMES] }),
  ]);
  const cells = cellsOf(/^Cleo Okafor/);
  expect(cells.find((text) => text?.startsWith('Classes'))).toBe('Classes3 Badgers4 Owls');
  expect(cells.find((text) => text?.startsWith('Role'))).toBe('RoleTeaching assistant');
});

it('a pending invitation shows what became of its email, and what to do about one that did not arrive', async () => {
  const at = '2026-12-01T09:00:00.000Z';
  await showTeachers('admin', undefined, { state: 'rejected', at, reason: '550 5.1.1 no such mailbox' });
  expect(await screen.findByText('Email not delivered: “550 5.1.1 no such mailbox”')).toBeTruthy();
  expect(screen.getByText(/Check the address, and invite them again with the right one/)).toBeTruthy();
});
