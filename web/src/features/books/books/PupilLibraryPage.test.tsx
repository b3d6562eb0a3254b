// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import PupilLibraryPage from './PupilLibraryPage.tsx';

it('the library of a pupil keeps its heading and breadcrumbs while a filter loads', async () => {
  signIn(makeUser());
  const meta = {
    total: 1,
    total_filtered: 0,
    assigned_filtered: 0,
    removable_filtered: 0,
    collections: [],
    can_assign: true,
    reader_name: 'Ada Baker',
    group: { id: 4, name: '3 Badgers' },
  };
  let filtered: ((reply: Response) => void) | undefined;
  vi.stubGlobal('fetch', (url: string) => {
    if (!url.includes('/books')) return Promise.resolve(Response.json({ enterprise: makeSchool() }));
    if (!url.includes('show=assigned')) return Promise.resolve(Response.json({ books: [], meta }));
    return new Promise((resolve) => (filtered = resolve));
  });
  const { user } = renderRoutes([{ path: '/pupils/:id/books', Component: PupilLibraryPage }], '/pupils/5/books');
  await screen.findByRole('heading', { level: 1, name: 'Ada Baker' });
  expect(document.title).toMatch(/^Books of Ada Baker/);
  await user.click(screen.getByRole('link', { name: 'Only Assigned' }));
  await waitFor(() => expect(filtered).toBeDefined());
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Ada Baker');
  expect(screen.getByRole('link', { name: 'Reading of Ada Baker' })).toBeTruthy();
});

it('the library of a colleague’s pupil names who can change the books', async () => {
  signIn(makeUser());
  const meta = {
    total: 1,
    total_filtered: 0,
    assigned_filtered: 0,
    removable_filtered: 0,
    collections: [],
    can_assign: false,
    reader_name: 'Ada Baker',
    group: { id: 4, name: '3 Badgers' },
  };
  const badgers = makeClass({ teachers: [{ id: 9, first_name: 'Tom', last_name: 'Finch' }] });
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ groups: [badgers] }) }),
    'GET /v1/enterprises/7/readers/5/books?page=1&per_page=60': () => ({ books: [], meta }),
  });
  renderRoutes([{ path: '/pupils/:id/books', Component: PupilLibraryPage }], '/pupils/5/books');
  expect(await screen.findByText(/Only Tom Finch or an admin can change them\./)).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Assign all on view' })).toBeNull();
});
