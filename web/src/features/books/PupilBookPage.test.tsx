// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fakeApi, rejectWith } from '../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../testing/render-in-app.tsx';
import PupilBookPage from './PupilBookPage.tsx';

it.each([
  { code: 'book_not_found', error: 'Nothing was found.', heading: 'Book not found' },
  { code: 'pupil_not_found', error: 'The pupil who read this book was not found.', heading: 'Pupil not found' },
])('shows “$heading” by the code $code, whatever the text says', async ({ code, error, heading }) => {
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/readers/5/books/6/summary': () => rejectWith(404, { error, error_type: 'not_found', code }),
  });
  renderRoutes([{ path: '/pupils/:id/books/:bookId', Component: PupilBookPage }], '/pupils/5/books/6');
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
});
