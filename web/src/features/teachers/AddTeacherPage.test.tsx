// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import AddTeacherPage from './AddTeacherPage.tsx';

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
