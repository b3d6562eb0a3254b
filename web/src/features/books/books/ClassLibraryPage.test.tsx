// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Library } from '#contract/calls/books.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import ClassLibraryPage from './ClassLibraryPage.tsx';

const LIBRARY: Library = {
  books: [],
  meta: {
    reader_name: null,
    group: { id: 4, name: '3 Badgers' },
    can_assign: false,
    collections: [],
    total: 0,
    total_filtered: 0,
    assigned_filtered: 0,
    removable_filtered: 0,
    page: 1,
    per_page: 50,
  },
};

it('sends a teacher who cannot manage the books of a class to the page of the class', async () => {
  signIn(makeUser({ enterprise_user_role: 'teacher' }));
  vi.stubGlobal('fetch', async (url: string) =>
    Response.json(
      url.includes('/books') ? LIBRARY : { enterprise: makeSchool({ groups: [makeClass()], user_manages: false }) },
    ),
  );
  renderRoutes(
    [
      { path: '/classes/:classId/books', Component: ClassLibraryPage },
      { path: '/classes/:id', element: <h1>The class</h1> },
    ],
    '/classes/4/books',
  );
  expect(await screen.findByRole('heading', { name: 'The class' })).toBeTruthy();
});
