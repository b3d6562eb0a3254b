// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Book, Library } from '#contract/calls/books.ts';
import { makeClass, makeSchool, makeUser } from '../../../../testing/make-school.ts';
import { renderRoutes, signIn } from '../../../../testing/render-in-app.tsx';
import ClassLibraryPage from '../ClassLibraryPage.tsx';
import PupilLibraryPage from '../PupilLibraryPage.tsx';

const COLLECTIONS = [
  { key: 'edubrisk', title: 'EduBrisk Titles' },
  { key: 'fonetti-premium', title: 'Fonetti Titles' },
  { key: 'cornerstones', title: 'Cornerstones' },
  { key: 'default', title: 'Additional Titles' },
];

const makeBook = (id: number, title: string, collection_key: string, reading_level: Book['reading_level']): Book => ({
  id,
  title,
  description: '',
  cover_image: null,
  preview: null,
  reading_level,
  collection_key,
  tags: [],
  pages_count: 8,
  is_assigned: false,
  is_assigned_via_group: false,
  is_assigned_to_reader: false,
  assigned_via: null,
});

/** The books of the fake server. */
let books: Book[];

/** The reply of the server to a request for a page of the library. */
function readLibrary(query: URLSearchParams): Library {
  const matching = books.filter(
    ({ title, reading_level: level, is_assigned: isAssigned }) =>
      title.toLowerCase().includes((query.get('search') ?? '').toLowerCase()) &&
      level >= Number(query.get('level_from') ?? 1) &&
      level <= Number(query.get('level_to') ?? 6) &&
      (!query.has('show') || isAssigned === (query.get('show') === 'assigned')),
  );
  const [page, perPage] = [Number(query.get('page') ?? 1), Number(query.get('per_page'))];
  const assigned = matching.filter(({ is_assigned: isAssigned }) => isAssigned).length;
  return {
    books: matching.slice((page - 1) * perPage, page * perPage),
    meta: {
      reader_name: 'Ada Baker',
      group: { id: 4, name: '3 Badgers' },
      can_assign: true,
      collections: COLLECTIONS.map(({ key, title }) => ({
        key,
        title,
        books_count: matching.filter(({ collection_key }) => collection_key === key).length,
      })),
      total: books.length,
      total_filtered: matching.length,
      assigned_filtered: assigned,
      removable_filtered: assigned,
      page,
      per_page: perPage,
    },
  };
}

const assign = (id: number, isAssigned: boolean) =>
  books.map((book) =>
    book.id === id
      ? { ...book, is_assigned: isAssigned, is_assigned_via_group: false, is_assigned_to_reader: isAssigned }
      : book,
  );

beforeEach(() => {
  books = [
    makeBook(1, 'The Wet Pup', 'edubrisk', 1),
    makeBook(2, 'Meg Can Fix It', 'edubrisk', 2),
    makeBook(3, 'The Lost Kite', 'fonetti-premium', 2),
    makeBook(4, 'Up the Hill', 'cornerstones', 6),
    makeBook(5, 'The Old Map', 'default', 3),
    makeBook(6, 'A Red Hat', 'default', 4),
  ];
  signIn(makeUser());
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname, searchParams } = new URL(url, 'http://portal');
    const id = Number(/\/books\/(\d+)$/.exec(pathname)?.[1]);
    if (id) books = assign(id, method === 'POST');
    if (id) return Response.json({});
    return Response.json(pathname.endsWith('/books') ? readLibrary(searchParams) : { enterprise: makeSchool() });
  });
});

const routes = [
  { path: '/classes/:classId/books', Component: ClassLibraryPage },
  { path: '/pupils/:id/books', Component: PupilLibraryPage },
];
const headings = () => screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
const titlesIn = (collection: string) =>
  within(screen.getByRole('list', { name: collection }))
    .getAllByRole('group')
    .map((overlay) => overlay.getAttribute('aria-label'));

describe.each([
  ['class', '/classes/4/books'],
  ['pupil', '/pupils/5/books'],
])('the library of a %s', (_, path) => {
  it('the library of each owner shows its collections in order', async () => {
    renderRoutes(routes, path);
    await screen.findByRole('heading', { level: 2, name: 'EduBrisk Titles 2' });
    expect(headings()).toEqual(['EduBrisk Titles 2', 'Fonetti Titles 1', 'Cornerstones 1', 'Additional Titles 2']);
    expect(titlesIn('EduBrisk Titles')).toEqual(['The Wet Pup', 'Meg Can Fix It']);
  });

  it.each([
    ['a search', 'search=the', ['EduBrisk Titles 1', 'Fonetti Titles 1', 'Cornerstones 1', 'Additional Titles 1']],
    ['reading levels', 'from=2&to=3', ['EduBrisk Titles 1', 'Fonetti Titles 1', 'Additional Titles 1']],
    ['Only Assigned', 'show=assigned', ['Fonetti Titles 1', 'Additional Titles 1']],
    ['Only Unassigned', 'show=unassigned', ['EduBrisk Titles 2', 'Cornerstones 1', 'Additional Titles 1']],
  ])('keeps the titles of the collections that have books left by %s', async (_filter, query, expected) => {
    for (const id of [3, 5]) books = assign(id, true);
    renderRoutes(routes, `${path}?${query}`);
    await waitFor(() => expect(headings()).toEqual(expected));
  });
});

it('removing the last book of a collection removes the collection from Only Assigned, and updates the count', async () => {
  for (const id of [1, 2, 5]) books = assign(id, true);
  const { user } = renderRoutes(routes, '/pupils/5/books?show=assigned');
  await waitFor(() => expect(headings()).toEqual(['EduBrisk Titles 2', 'Additional Titles 1']));
  const remove = async (title: string) =>
    user.click(screen.getByRole('button', { name: `Remove from pupil: ${title}` }));
  await remove('Meg Can Fix It');
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Remove from pupil' }));
  await waitFor(() => expect(headings()).toEqual(['EduBrisk Titles 1', 'Additional Titles 1']));
  // A card that is rendered again would lose the focus.
  const removeButton = screen.getByRole('button', { name: 'Remove from pupil: The Old Map' });
  await remove('The Wet Pup');
  await waitFor(() => expect(headings()).toEqual(['Additional Titles 1']));
  expect(screen.getByRole('button', { name: 'Remove from pupil: The Old Map' })).toBe(removeButton);
  expect(screen.getByText('1 of 6 books on view, all assigned')).toBeTruthy();
});

it('a large filtered library renders only the books near the viewport, under the titles of their collections', async () => {
  const observed = new Set<Element>();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe(element: Element) {
        observed.add(element);
      }
      disconnect() {}
    },
  );
  books = [
    ...Array.from({ length: 3 }, (_, n) => makeBook(1000 + n, `The A ${n}`, 'edubrisk', 1)),
    ...Array.from({ length: 150 }, (_, n) => makeBook(2000 + n, `The B ${n}`, 'fonetti-premium', 1)),
    ...Array.from({ length: 150 }, (_, n) => makeBook(3000 + n, `The C ${n}`, 'default', 1)),
  ];
  renderRoutes(routes, '/pupils/5/books?search=the');
  await waitFor(() => expect(headings()).toEqual(['EduBrisk Titles 3', 'Fonetti Titles 150', 'Additional Titles 150']));
  await waitFor(() => expect(titlesIn('Fonetti Titles')).toHaveLength(60));
  expect(titlesIn('EduBrisk Titles')).toHaveLength(3);
  expect(screen.queryByRole('list', { name: 'Additional Titles' })).toBeNull();
  expect(observed.size).toBe(7);
});

it('a book that is assigned through the class cannot be removed from a pupil', async () => {
  const viaClass = { is_assigned: true, is_assigned_via_group: true, assigned_via: 'group' } as const;
  books = [
    { ...makeBook(1, 'The Wet Pup', 'edubrisk', 1), ...viaClass },
    { ...makeBook(2, 'Meg Can Fix It', 'edubrisk', 2), ...viaClass, is_assigned_to_reader: true },
    makeBook(3, 'The Lost Kite', 'edubrisk', 2),
  ];
  books = assign(3, true);
  const { user } = renderRoutes(routes, '/pupils/5/books');
  for (const title of ['The Wet Pup', 'Meg Can Fix It']) {
    const card = within(await screen.findByRole('group', { name: title }));
    expect(card.getByText('This book is assigned through class')).toBeTruthy();
    expect(card.queryByRole('button', { name: /^(Assign|Remove)/ })).toBeNull();
    await user.click(card.getByRole('button', { name: `Book info: ${title}` }));
    const dialog = within(await screen.findByRole('dialog', { name: title }));
    expect(dialog.getByText('This book is assigned through class')).toBeTruthy();
    expect(dialog.queryByRole('button', { name: /^(Assign|Remove)/ })).toBeNull();
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  }
  await user.click(screen.getByRole('button', { name: 'Remove all on view' }));
  await screen.findByRole('dialog', { name: 'Remove 1 book from Ada Baker?' });
});

it.each([false, true])(
  'the library of a class opens only for a teacher who manages the class: %j',
  async (canChange) => {
    signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }));
    const school = makeSchool({ groups: [makeClass({ user_manages: canChange })], user_manages: false });
    vi.stubGlobal('fetch', async (url: string) =>
      Response.json(
        url.includes('/books') ? readLibrary(new URL(url, 'http://portal').searchParams) : { enterprise: school },
      ),
    );
    renderRoutes([...routes, { path: '/classes/:id', element: <h1>The class</h1> }], '/classes/4/books');
    await screen.findByRole('heading', { level: 1, name: canChange ? 'Books of 3 Badgers' : 'The class' });
  },
);
