// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import AddTeacherPage from './AddTeacherPage.tsx';

const SEND = 'POST /v1/enterprises/7/invites';

it('Add Teacher offers the email addresses that the user had typed when their session ended', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const draft = { userId: 3, at: Date.now(), values: [{ email: 'ivy@school.example', name: 'Ivy Wren' }] };
  sessionStorage.setItem('portal.private.draft / rows', JSON.stringify(draft));
  const { user } = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  await user.click(await screen.findByRole('button', { name: 'Use it' }));
  expect(screen.getByDisplayValue('ivy@school.example')).not.toBeNull();
  expect(sessionStorage.getItem('portal.private.draft / rows')).toBeNull();
});

function addTeachers() {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [SEND]: () => ({ sent: [], failed: [], links: [] }),
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

it('Add Teacher offers to send a spreadsheet only once a csv, xls or xlsx file has been chosen', async () => {
  const { container } = addTeachers();
  await screen.findByText('Choose a spreadsheet');
  const choose = (name: string) =>
    fireEvent.change(container.querySelector('input[type=file]')!, { target: { files: [new File(['a'], name)] } });
  const send = () => screen.queryByRole('button', { name: /^Send invitations from/ });
  expect(send()).toBeNull();
  choose('teachers.pdf');
  expect(await screen.findByText(/^teachers\.pdf is not a CSV, XLS or XLSX file/)).toBeTruthy();
  expect(send()).toBeNull();
  for (const name of ['teachers.csv', 'teachers.xls', 'teachers.XLSX']) {
    choose(name);
    expect(await screen.findByRole('button', { name: `Send invitations from ${name}` })).toBeTruthy();
  }
});

/** Shows the page to an admin of a school where every invitation is sent. Returns the bodies of the requests. */
async function invite() {
  signIn(makeUser());
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    [SEND]: () => ({ sent: [{ email: 'ivy@school.example', name: 'Ivy Wren', is_held: false }], failed: [] }),
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
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await screen.findByText('An invitation has been sent to the teachers');
  expect(sent[SEND]).toMatchObject([{ email: ['ivy@school.example', 'ben@school.example'], name: ['Ivy Wren', ''] }]);
});

it('Add Teacher sends the invitations of an uploaded spreadsheet', async () => {
  const { user } = await invite();
  const file = new File(['Email,Name\nivy@school.example,Ivy Wren'], 'teachers.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText(/^Choose a spreadsheet/), file);
  const bodies: unknown[] = [];
  const fakeFetch = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') bodies.push(init.body instanceof FormData ? init.body.get('teachers_file') : null);
    return fakeFetch(url, init);
  });
  await user.click(await screen.findByRole('button', { name: 'Send invitations from teachers.csv' }));
  await screen.findByText('An invitation has been sent to the teachers');
  expect(bodies).toEqual([file]);
});
