// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Book, Library } from '#contract/calls/books.ts';
import { fakeApi } from '../../../testing/fake-api.ts';
import { makeClass, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { makeBook } from '../../../testing/make-reading.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import ClassLibraryPage from './ClassLibraryPage.tsx';
import PupilLibraryPage from './PupilLibraryPage.tsx';

const LIBRARIES = [
  ['class', '/classes/4/books', '/v1/enterprises/7/groups/4/books'],
  ['pupil', '/pupils/5/books', '/v1/enterprises/7/readers/5/books'],
] as const;
const BULK_PAGE = 'per_page=1000';

const makeLibrary = (books: Book[]): Library => ({
  books,
  meta: {
    reader_name: 'Ada Baker',
    group: { id: 4, name: '3 Badgers' },
    can_assign: true,
    collections: [{ key: 'default', title: 'Additional Titles', books_count: books.length }],
    total: books.length,
    total_filtered: books.length,
    assigned_filtered: books.filter((book) => book.is_assigned).length,
    removable_filtered: books.filter((book) => book.is_assigned).length,
    page: 1,
    per_page: 60,
  },
});

const viaClass = { is_assigned: true, is_assigned_via_group: true, assigned_via: 'group' } as const;
const toPupil = { is_assigned: true, is_assigned_to_reader: true, assigned_via: 'reader' } as const;
/** The book assigned as it is in the library of a class or a pupil. */
const assignedIn = (library: 'class' | 'pupil', book: Book): Book => ({
  ...book,
  ...(library === 'class' ? viaClass : toPupil),
});

const LANTERN = makeBook({
  cover_image: '/content/covers/6?v=1',
  preview: '/content/previews/6.pdf?v=1',
  tags: [{ id: 1, text: 'Family' }],
});
const KITE = makeBook({ id: 8, title: 'The Lost Kite' });

beforeEach(() => signIn(makeUser()));

/** Opens a library in which the filters of the URL leave these books. Returns the bodies sent. */
function open(path: string, books: Book[]) {
  const reply = () => makeLibrary(books);
  const done = () => ({});
  const sent = fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({
      enterprise: makeSchool({ groups: [makeClass({ user_manages: true })] }),
    }),
    ...Object.fromEntries(
      LIBRARIES.flatMap(([, , call]) => [
        [`GET ${call}?page=1&per_page=60`, reply],
        [`GET ${call}?level_from=3&level_to=4&page=1&per_page=60`, reply],
        [`GET ${call}?search=the&page=1&per_page=60`, reply],
        [`GET ${call}?search=the&show=unassigned&${BULK_PAGE}`, reply],
        [`GET ${call}?search=the&show=assigned&${BULK_PAGE}`, reply],
        [`POST ${call}`, done],
        [`POST ${call}/remove`, done],
        [`POST ${call}/6`, done],
        [`DELETE ${call}/6`, done],
      ]),
    ),
  });
  const routes = [
    { path: '/classes/:classId/books', Component: ClassLibraryPage },
    { path: '/pupils/:id/books', Component: PupilLibraryPage },
  ];
  return { sent, ...renderRoutes(routes, path) };
}

const card = async (title: string) => (await screen.findByRole('group', { name: title })).closest('li')!;
const textsOf = (elements: HTMLElement[]) => elements.map(({ textContent }) => textContent);

describe.each(LIBRARIES)('the library of a %s', (library, path, call) => {
  it('each library has the search box “Search for a book” and the filters All books, Only Assigned and Only Unassigned', async () => {
    open(path, [LANTERN]);
    expect(await screen.findByRole('searchbox', { name: 'Search for a book' })).toBeTruthy();
    const filters = within(screen.getByRole('navigation', { name: 'Books shown' })).getAllByRole('link');
    expect(textsOf(filters)).toEqual(['All books', 'Only Assigned', 'Only Unassigned']);
    expect(filters.map((filter) => new URL((filter as HTMLAnchorElement).href).search)).toEqual([
      '',
      '?show=assigned',
      '?show=unassigned',
    ]);
  });

  it('each library has selectors “Reading Levels from” and “To” with levels 1 to 6, where neither end can pass the other', async () => {
    open(`${path}?from=3&to=4`, [LANTERN]);
    const from = await screen.findByRole<HTMLSelectElement>('combobox', { name: 'Reading Levels from' });
    const to = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Reading Levels to' });
    expect(screen.getByText('Reading Levels from').tagName).toBe('LABEL');
    expect(screen.getByText('To').tagName).toBe('LABEL');
    const levels = ['Level 1', 'Level 2', 'Level 3', 'Level 4', 'Level 5', 'Level 6'];
    for (const select of [from, to]) expect(textsOf([...select.options])).toEqual(levels);
    expect([from.value, to.value]).toEqual(['3', '4']);
    const disabledIn = (select: HTMLSelectElement) =>
      [...select.options].flatMap((option) => (option.disabled ? option.value : []));
    expect([disabledIn(from), disabledIn(to)]).toEqual([
      ['5', '6'],
      ['1', '2'],
    ]);
  });

  it(`each book has its cover, its title, “Book info”, “Preview book” and “Assign to ${library}”`, async () => {
    const { sent, user } = open(path, [LANTERN]);
    const book = await card('The Lantern');
    expect(book.querySelector('img')?.getAttribute('src')).toBe('/content/covers/6?v=1&height=400');
    expect(within(book).getByText('The Lantern')).toBeTruthy();
    const texts = [`Assign to ${library}`, 'Book info', 'Preview book'];
    expect(textsOf(within(book).getAllByRole('button'))).toEqual(texts);
    await user.click(within(book).getByRole('button', { name: `Assign to ${library}: The Lantern` }));
    await waitFor(() => expect(sent[`POST ${call}/6`]).toHaveLength(1));
  });

  it(`“Remove from ${library}” asks before a book is removed`, async () => {
    const { sent, user } = open(path, [assignedIn(library, LANTERN)]);
    const remove = within(await card('The Lantern')).getByText(`Remove from ${library}`);
    await user.click(remove);
    const dialog = await screen.findByRole('dialog', { name: /^Remove The Lantern from / });
    expect(sent[`DELETE ${call}/6`]).toBeUndefined();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(sent[`DELETE ${call}/6`]).toBeUndefined();
    await user.click(remove);
    const again = await screen.findByRole('dialog', { name: /^Remove The Lantern from / });
    await user.click(within(again).getByRole('button', { name: `Remove from ${library}` }));
    await waitFor(() => expect(sent[`DELETE ${call}/6`]).toHaveLength(1));
  });

  it('“Assign all on view” assigns the books that the filters leave', async () => {
    const { sent, user } = open(`${path}?search=the`, [LANTERN, KITE]);
    await user.click(await screen.findByRole('button', { name: 'Assign all on view' }));
    await waitFor(() => expect(sent[`POST ${call}`]).toEqual([{ book_ids: [6, 8] }]));
  });

  it('“Remove all on view” removes the books that the filters leave, and asks before', async () => {
    const books = [LANTERN, KITE].map((book) => assignedIn(library, book));
    const { sent, user } = open(`${path}?search=the`, books);
    await user.click(await screen.findByRole('button', { name: 'Remove all on view' }));
    const dialog = await screen.findByRole('dialog', { name: /^Remove 2 books from / });
    expect(sent[`POST ${call}/remove`]).toBeUndefined();
    await user.click(within(dialog).getByRole('button', { name: `Remove from ${library}` }));
    await waitFor(() => expect(sent[`POST ${call}/remove`]).toEqual([{ book_ids: [6, 8] }]));
  });

  it('Book info shows the cover at a width of 200, reading level, title, description and tags', async () => {
    const { user } = open(path, [LANTERN]);
    await user.click(within(await card('The Lantern')).getByText('Book info'));
    const dialog = await screen.findByRole('dialog', { name: 'The Lantern' });
    expect(dialog.querySelector('img')?.getAttribute('src')).toBe('/content/covers/6?v=1&width=200');
    expect(within(dialog).getByText('Level 3')).toBeTruthy();
    expect(within(dialog).getByText('A walk in the dark.')).toBeTruthy();
    expect(textsOf(within(within(dialog).getByRole('list', { name: 'Tags' })).getAllByRole('listitem'))).toEqual([
      'Family',
    ]);
  });
});

describe('the library of a class that the user cannot change', () => {
  const openAs = (role: 'teacher' | 'reading_lead' | 'teaching_assistant', can_assign: boolean) => {
    signIn(makeUser({ enterprise_user_role: 'teacher', role }));
    const library = makeLibrary([LANTERN]);
    fakeApi({
      'GET /v1/enterprises/7?include=invoices': () => ({
        enterprise: makeSchool({ user_manages: false, groups: [makeClass()] }),
      }),
      'GET /v1/enterprises/7/groups/4/books?page=1&per_page=60': () => ({
        ...library,
        meta: { ...library.meta, can_assign },
      }),
    });
    renderRoutes(
      [
        { path: '/classes/:classId/books', Component: ClassLibraryPage },
        { path: '/classes/:id', element: <h1>The class</h1> },
      ],
      '/classes/4/books',
    );
  };

  it('lets a reading lead assign its books', async () => {
    openAs('reading_lead', true);
    await screen.findByRole('heading', { level: 1, name: 'Books of 3 Badgers' });
    await screen.findByRole('button', { name: 'Assign all on view' });
  });

  it.each(['teacher', 'teaching_assistant'] as const)('leads the role %s to the class', async (role) => {
    openAs(role, false);
    await screen.findByRole('heading', { name: 'The class' });
  });
});
