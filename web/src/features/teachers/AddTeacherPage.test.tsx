// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import AddTeacherPage from './AddTeacherPage.tsx';

const SEND = 'POST /v1/enterprises/7/invites';

it('offers the email addresses that the user had typed when their session ended', async () => {
  signIn(makeUser());
  fakeApi({ 'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }) });
  const draft = { userId: 3, at: Date.now(), values: [{ email: 'ivy@school.example', name: 'Ivy Wren' }] };
  sessionStorage.setItem('portal.private.draft / rows', JSON.stringify(draft));
  const { user } = renderRoutes([{ path: '/add-teacher', element: <AddTeacherPage /> }], '/add-teacher');
  await user.click(await screen.findByRole('button', { name: 'Use it' }));
  expect(screen.getByDisplayValue('ivy@school.example')).not.toBeNull();
  expect(sessionStorage.getItem('portal.private.draft / rows')).toBeNull();
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

it('sends an invitation for each row of email and name', async () => {
  const { user, sent } = await invite();
  await user.type(screen.getByLabelText('Email of teacher 1'), 'ivy@school.example');
  await user.type(screen.getByLabelText('Name of teacher 1 (optional)'), 'Ivy Wren');
  await user.type(screen.getByLabelText('Email of teacher 2'), 'ben@school.example');
  await user.click(screen.getByRole('button', { name: 'Send invitations' }));
  await screen.findByText('An invitation has been sent to the teachers');
  expect(sent[SEND]).toMatchObject([{ email: ['ivy@school.example', 'ben@school.example'], name: ['Ivy Wren', ''] }]);
});

it('sends the invitations of an uploaded spreadsheet', async () => {
  const { user } = await invite();
  const file = new File(['Email,Name\nivy@school.example,Ivy Wren'], 'teachers.csv', { type: 'text/csv' });
  await user.upload(screen.getByLabelText(/^Choose a spreadsheet/), file);
  const bodies: unknown[] = [];
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    if (init?.method === 'POST') bodies.push(init.body instanceof FormData ? init.body.get('teachers_file') : null);
    return others(url, init);
  });
  await user.click(await screen.findByRole('button', { name: 'Send invitations from teachers.csv' }));
  await screen.findByText('An invitation has been sent to the teachers');
  expect(bodies).toEqual([file]);
});
