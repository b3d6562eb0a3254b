// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import AddTeacherPage from './AddTeacherPage.tsx';

const SEND = 'POST /v1/enterprises/7/invites';
const PREVIEW = `${SEND}/preview`;

it('Add Teacher offers the email addresses that the user had typed when their session ended', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const draft = {
    userId: 3,
    schoolId: 7,
    at: Date.now(),
    values: [{ email: 'ivy@school.example', name: 'Ivy Wren', role: 'admin', classId: '' }],
  };
  sessionStorage.setItem('portal.private.draft / rows', JSON.stringify(draft));
  const { user } = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  await user.click(await screen.findByRole('button', { name: 'Use it' }));
  expect(screen.getByDisplayValue('ivy@school.example')).not.toBeNull();
  expect(screen.getByLabelText<HTMLSelectElement>('Role of teacher 1').value).toBe('admin');
  expect(sessionStorage.getItem('portal.private.draft / rows')).toBeNull();
});

function addTeachers() {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [SEND]: () => ({ sent: [], failed: [], links: [] }),
    [PREVIEW]: () => ({ people: [] }),
  });
  return { ...renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher'), sent };
}

it('Add Teacher marks an invalid email and sends nothing, then sends the rows that have an email', async () => {
  const { user, sent } = addTeachers();
  const first = await screen.findByLabelText('Email of teacher 1');
  await user.type(first, 'ivy wren');
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await waitFor(() => expect(first.getAttribute('aria-invalid')).toBe('true'));
  expect(sent[SEND]).toBeUndefined();
  await user.clear(first);
  await user.type(screen.getByLabelText('Name of teacher 1 (optional)'), 'Without Email');
  await user.type(screen.getByLabelText('Email of teacher 2'), 'ivy@school.example');
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await waitFor(() => expect(sent[SEND]).toHaveLength(1));
  expect(sent[SEND]?.[0]).toMatchObject({ email: ['ivy@school.example'], name: [''] });
});

it('Add Teacher adds a row when the user types in the last one, and not before', async () => {
  const { user } = addTeachers();
  await user.type(await screen.findByLabelText('Email of teacher 1'), 'ivy@school.example');
  expect(screen.queryByLabelText('Email of teacher 3')).toBeNull();
  await user.type(screen.getByLabelText('Email of teacher 2'), 'b');
  expect(screen.getByLabelText('Email of teacher 3')).toBeTruthy();
  expect(screen.queryByLabelText('Email of teacher 4')).toBeNull();
});

it('Add Teacher takes a list of staff only as a csv, tsv, txt, xls, xlsx or ods file', async () => {
  const { container, sent } = addTeachers();
  await screen.findByText('Choose a spreadsheet');
  const choose = (name: string) =>
    fireEvent.change(container.querySelector('input[type=file]')!, { target: { files: [new File(['a'], name)] } });
  choose('teachers.pdf');
  expect(await screen.findByText(/^teachers\.pdf is not a CSV, TSV, TXT, XLS, XLSX or ODS file/)).toBeTruthy();
  expect(sent[PREVIEW]).toBeUndefined();
  for (const [index, name] of ['teachers.csv', 'teachers.xls', 'teachers.XLSX', 'teachers.ods'].entries()) {
    choose(name);
    await waitFor(() => expect(sent[PREVIEW]).toHaveLength(index + 1));
  }
});

const IVY_ID = '0b5c3a52-7c1e-4a8f-9d55-2f6b8c0e7a11';
const REMOVE = 'POST /v1/enterprises/7/invites/remove';

/** Shows the page to an admin of a school where every invitation is sent. Returns the bodies of the requests. */
async function invite() {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [SEND]: () => ({
      sent: [{ id: IVY_ID, email: 'ivy@school.example', name: 'Ivy Wren', is_held: false, works_elsewhere: false }],
      failed: [],
    }),
    [REMOVE]: () => ({ removed: [IVY_ID], kept: [] }),
  });
  const page = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  await screen.findByLabelText('Email of teacher 1');
  return { ...page, sent };
}

it('Add Teacher sends an invitation for each row of email and name', async () => {
  const { user, sent } = await invite();
  await user.type(screen.getByLabelText('Email of teacher 1'), 'ivy@school.example');
  await user.type(screen.getByLabelText('Name of teacher 1 (optional)'), 'Ivy Wren');
  await user.type(screen.getByLabelText('Email of teacher 2'), 'ben@school.example');
  await user.selectOptions(screen.getByLabelText('Role of teacher 2'), 'Admin');
  await user.click(screen.getByRole('button', { name: 'Send 2 invitations' }));
  await screen.findByText('An invitation has been sent to the teachers');
  expect(sent[SEND]).toMatchObject([
    { email: ['ivy@school.example', 'ben@school.example'], name: ['Ivy Wren', ''], roles: ['teacher', 'admin'] },
  ]);
  for (const role of screen.getAllByLabelText<HTMLSelectElement>(/^Role of teacher/))
    expect(role.value).toBe('teacher');
});

it('invitations that were just sent can be deleted, and come back to the form', async () => {
  const { user, sent } = await invite();
  await user.type(screen.getByLabelText('Email of teacher 1'), 'ivy@school.example');
  await user.type(screen.getByLabelText('Name of teacher 1 (optional)'), 'Ivy Wren');
  await user.selectOptions(screen.getByLabelText('Role of teacher 1'), 'admin');
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await user.click(await screen.findByRole('button', { name: 'Delete this invitation' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete this invitation?' });
  await user.click(within(dialog).getByRole('button', { name: 'Delete this invitation' }));
  await screen.findByText('1 invitation has been deleted');
  expect(sent[REMOVE]).toEqual([{ invites: [IVY_ID] }]);
  expect(screen.queryByText('An invitation has been sent to the teachers')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Email of teacher 1').value).toBe('ivy@school.example');
  expect(screen.getByLabelText<HTMLInputElement>('Name of teacher 1 (optional)').value).toBe('Ivy Wren');
  expect(screen.getByLabelText<HTMLSelectElement>('Role of teacher 1').value).toBe('admin');
});

it('rows that could not be invited stay in the form with their class and role', async () => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ groups: [makeClass({ id: 31, name: 'Owls' })] }),
    }),
    [SEND]: () => ({ sent: [], failed: [{ email: 'ivy@school.example', name: '', error: 'A member already.' }] }),
  });
  const { user } = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  await user.type(await screen.findByLabelText('Email of teacher 1'), 'ivy@school.example ');
  await user.selectOptions(screen.getByLabelText('Class of teacher 1 (optional)'), 'Owls');
  await user.selectOptions(screen.getByLabelText('Role of teacher 1'), 'Admin');
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await screen.findByText('1 invitation could not be sent');
  expect(screen.getByLabelText<HTMLInputElement>('Email of teacher 1').value).toBe('ivy@school.example');
  expect(screen.getByLabelText<HTMLSelectElement>('Class of teacher 1 (optional)').value).toBe('31');
  expect(screen.getByLabelText<HTMLSelectElement>('Role of teacher 1').value).toBe('admin');
});

it('someone who was entered after the invitations were sent does not get their role when they come back', async () => {
  const { user } = await invite();
  await user.type(screen.getByLabelText('Email of teacher 1'), 'ivy@school.example');
  await user.selectOptions(screen.getByLabelText('Role of teacher 1'), 'admin');
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  const remove = await screen.findByRole('button', { name: 'Delete this invitation' });
  await user.type(screen.getByLabelText('Email of teacher 1'), 'ben@school.example');
  await user.click(remove);
  const dialog = await screen.findByRole('dialog', { name: 'Delete this invitation?' });
  await user.click(within(dialog).getByRole('button', { name: 'Delete this invitation' }));
  await screen.findByText('1 invitation has been deleted');
  const emails = screen.getAllByLabelText<HTMLInputElement>(/^Email of teacher/).map(({ value }) => value);
  expect(emails).toEqual(['ivy@school.example', 'ben@school.example', '']);
  const roles = screen.getAllByLabelText<HTMLSelectElement>(/^Role of teacher/).map(({ value }) => value);
  expect(roles).toEqual(['admin', 'teacher', 'teacher']);
});

const PEOPLE = [
  { email: 'ivy@school.example', other_emails: ['ivy@home.example'], name: 'Ivy Wren', role: 'teacher', doubt: null },
  { email: 'sam@school.example', other_emails: [], name: 'Sam Pupil', role: 'teacher', doubt: 'The list says so.' },
  { email: 'ben@school.example', other_emails: [], name: 'Ben Moss', role: 'admin', doubt: null },
];

it('Add Teacher fills the form from a list, and invites whom the user leaves ticked, each with a class', async () => {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ groups: [makeClass({ id: 31, name: 'Owls' })] }),
    }),
    [PREVIEW]: () => ({ people: PEOPLE }),
    [SEND]: () => ({ sent: [], failed: [] }),
  });
  const { user } = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  const file = new File(['Email,Name'], 'teachers.csv', { type: 'text/csv' });
  await user.upload(await screen.findByLabelText(/^Choose a spreadsheet/), file);
  expect(await screen.findByDisplayValue('Ivy Wren')).toBeTruthy();
  expect(sent[SEND]).toBeUndefined();
  const doubted = screen.getByRole('checkbox', { name: /^Invite teacher 2/ });
  expect(doubted).toHaveProperty('checked', false);
  await user.selectOptions(screen.getByLabelText('Email of teacher 1'), 'ivy@home.example');
  await user.selectOptions(screen.getByLabelText('Class of teacher 3 (optional)'), 'Owls');
  await user.click(screen.getByRole('button', { name: 'Send 2 invitations' }));
  await waitFor(() => expect(sent[SEND]).toHaveLength(1));
  expect(sent[SEND]?.[0]).toMatchObject({
    email: ['ivy@home.example', 'ben@school.example'],
    name: ['Ivy Wren', 'Ben Moss'],
    roles: ['teacher', 'admin'],
    groups: [[], [31]],
  });
});

it('Add Teacher reads cells that are pasted from a spreadsheet', async () => {
  const { user, sent } = addTeachers();
  await user.click(await screen.findByLabelText('Email of teacher 1'));
  await user.paste('Ivy Wren\tivy@school.example\nBen Moss\tben@school.example');
  await waitFor(() => expect(sent[PREVIEW]).toHaveLength(1));
  expect(sent[PREVIEW]?.[0]).toEqual({ text: 'Ivy Wren\tivy@school.example\nBen Moss\tben@school.example' });
});

it('Add Teacher offers the six roles, and neither shows nor sends a class for a role without classes', async () => {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ groups: [makeClass()] }) }),
    [SEND]: () => ({ sent: [], failed: [], links: [] }),
  });
  const { user } = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  await user.type(await screen.findByLabelText('Email of teacher 1'), 'bea@school.example');
  await user.selectOptions(screen.getByLabelText('Class of teacher 1 (optional)'), '3 Badgers');
  const role = screen.getByLabelText('Role of teacher 1');
  expect(
    within(role)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'Teacher',
    'Admin',
    'Reading lead or SENCO',
    'Teaching assistant',
    'Business manager',
    'Data protection officer',
  ]);
  await user.selectOptions(role, 'Business manager');
  expect(screen.queryByLabelText('Class of teacher 1 (optional)')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await waitFor(() => expect(sent[SEND]).toHaveLength(1));
  expect(sent[SEND]?.[0]).toMatchObject({ roles: ['business_manager'], groups: [[]] });
});
