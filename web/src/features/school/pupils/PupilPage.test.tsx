// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useLocation } from '../../../shared/router.ts';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import type { Role } from '#contract/permissions.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { setPreference } from '../../../shared/preferences.ts';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { isForbidden } from '../../../testing/forbidden-calls.ts';
import { makePupil, makeSchool, makeUser } from '../../../testing/make-school.ts';
import { makeSession } from '../../../testing/make-reading.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import { setTimeZone } from '../../../testing/set-time-zone.ts';
import PupilPage from './PupilPage.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-18T12:00:00Z') }));
afterEach(() => {
  vi.useRealTimers();
  for (const name of ['rows', 'range'] as const) setPreference(name, null);
});

function Page() {
  const { pathname, search } = useLocation();
  return (
    <>
      <output aria-label="URL">{pathname + search}</output>
      <PupilPage />
    </>
  );
}

/** Opens the page of a pupil with these sessions. Returns the ranges of the summaries that the page requested. */
function open({ pupil = makePupil(), sessions = [makeSession()] as ReadingSession[], query = '' } = {}) {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }));
  const ranges: string[][] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    const { pathname, searchParams } = new URL(url, 'http://portal');
    if (pathname === '/v1/enterprises/7') return Response.json({ enterprise: makeSchool() });
    if (pathname === '/v1/enterprises/7/readers/5') return Response.json({ reader: pupil });
    if (pathname !== '/v1/enterprises/7/readers/5/summary')
      return Response.json({ error: 'Nothing was found.', error_type: 'not_found' }, { status: 404 });
    ranges.push([...searchParams.values()]);
    return Response.json({
      total_reading_time: 7200,
      average_reading_time: 600,
      books_completed: 11,
      books_in_progress: 3,
      books_not_started: 4,
      reading_sessions: sessions,
    });
  });
  const routes = [
    { path: '/pupils/:id', Component: Page },
    { path: '/pupils/:id/books', element: <h1>The pupil’s books</h1> },
    { path: '/pupils/:id/books/:bookId', Component: Page },
  ];
  return { ranges, ...renderRoutes(routes, `/pupils/5${query}`) };
}

const table = () => screen.findByRole('table', { name: 'Reading sessions' });
const booksIn = async () =>
  within(await table())
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.firstElementChild?.textContent);
/** The head of a column is repeated in its cells, for narrow screens. */
const LABEL = /^(Date|Time Reading|Accuracy|Completed)(?=.)/;
const url = () => screen.getByLabelText('URL').textContent;

it('shows the five figures of a pupil’s reading, explains Total Reading Time in a dialog and Books not started in a tooltip', async () => {
  const { user } = open();
  await table();
  const notStarted = screen.getByText('Books not started').closest('dt')!;
  const figures = within(notStarted.closest('dl')!)
    .getAllByRole('term')
    .map((label) => [label.firstChild?.textContent, label.nextElementSibling?.textContent?.trim()]);
  expect(figures).toEqual([
    ['Total Reading Time', '2 hours'],
    ['Average time per book', '10 minutes'],
    ['Books completed', '11'],
    ['Books in-progress', '3'],
    ['Books not started', '4'],
  ]);
  expect(within(notStarted).getByRole('note').textContent).toBe('number of assigned books not yet started');
  await user.click(within(screen.getByText('Total Reading Time').closest('dt')!).getByRole('button'));
  const dialog = await screen.findByRole('dialog', { name: 'Total Reading Time' });
  expect(dialog.textContent).toContain('The time the pupil was actively reading');
});

it('offers dates from 1 January 2018 until today, and shows the reading of the dates chosen', async () => {
  const { ranges } = open();
  await table();
  expect(ranges).toEqual([['2026-11-01T00:00:00.000Z', '2026-11-18T23:59:59.999Z']]);
  const fields = ['From', 'To'].map((label) => screen.getByLabelText<HTMLInputElement>(label));
  for (const { min, max } of fields) expect([min, max]).toEqual(['2018-01-01', '2026-11-18']);
  fireEvent.change(fields[0]!, { target: { value: '2018-01-01' } });
  fireEvent.change(fields[1]!, { target: { value: '2018-01-31' } });
  fireEvent.submit(fields[0]!.form!);
  await waitFor(() => expect(ranges.at(-1)).toEqual(['2018-01-01T00:00:00.000Z', '2018-01-31T23:59:59.999Z']));
});

it('offers UPDATE PUPIL NAME and RESET PASSWORD to a user who may change the pupil, in dialogs', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'UPDATE PUPIL NAME' }));
  expect(await screen.findByRole('dialog', { name: 'Update pupil name' })).toBeTruthy();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'RESET PASSWORD' }));
  expect(await screen.findByRole('dialog', { name: 'Reset the password of Ada Baker?' })).toBeTruthy();
});

it('offers neither UPDATE PUPIL NAME nor RESET PASSWORD without can_update, but MANAGE BOOKS, which opens the pupil’s books', async () => {
  const { user } = open({ pupil: makePupil({ can_update: false }) });
  await screen.findByRole('heading', { level: 1, name: 'Ada Baker' });
  expect(screen.queryByRole('button', { name: 'UPDATE PUPIL NAME' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'RESET PASSWORD' })).toBeNull();
  await user.click(screen.getByRole('link', { name: 'MANAGE BOOKS' }));
  expect(await screen.findByRole('heading', { name: 'The pupil’s books' })).toBeTruthy();
});

it('the table of reading sessions has its six columns, and More Info opens the session on the page of its book', async () => {
  const { user } = open();
  const rows = within(await table()).getAllByRole('row');
  const texts = rows.map((row) => [...row.children].map(({ textContent }) => textContent.replace(LABEL, '').trim()));
  expect(texts).toEqual([
    ['Book', 'Date', 'Time Reading', 'Accuracy', 'Completed', 'Actions'],
    ['The Lantern', '18 November 2026', '2 minutes', '90% projected', 'No', 'More Info'],
  ]);
  expect(screen.getByText('Only the latest read of each book is shown.')).toBeTruthy();
  await user.click(screen.getByText('More Info'));
  await waitFor(() => expect(url()).toBe(`/pupils/5/books/6?rid=${makeSession().id}`));
});

const THREE = [
  makeSession({ id: 'a', book_title: 'A', date: '2026-11-03T09:00:00.000Z', reading_time: 60 }),
  makeSession({
    id: 'b',
    book_title: 'B',
    date: '2026-11-09T09:00:00.000Z',
    reading_time: 30,
    range_progressive_accuracy: 50,
  }),
  makeSession({
    id: 'c',
    book_title: 'C',
    date: '2026-11-06T09:00:00.000Z',
    reading_time: 90,
    has_completed_book: true,
    accuracy: 70,
  }),
];

it('sorts the reading sessions by date, newest first, until the head of another column is chosen', async () => {
  const { user } = open({ sessions: THREE });
  expect(await booksIn()).toEqual(['B', 'C', 'A']);
  const orders: Record<string, unknown> = {};
  for (const column of ['Book', 'Date', 'Time Reading', 'Accuracy', 'Completed']) {
    await user.click(screen.getByRole('link', { name: column }));
    await waitFor(() =>
      expect(screen.getByRole('columnheader', { name: column }).getAttribute('aria-sort')).toBe('ascending'),
    );
    orders[column] = (await booksIn()).join('');
  }
  expect(orders).toEqual({ Book: 'ABC', Date: 'ACB', 'Time Reading': 'BAC', Accuracy: 'BCA', Completed: 'BAC' });
  expect(screen.queryByRole('link', { name: 'Actions' })).toBeNull();
});

it('shows the reading sessions in pages of as many rows as chosen', async () => {
  const sessions = Array.from({ length: 12 }, (_, index) =>
    makeSession({
      id: `s${index}`,
      book_title: `Book ${index}`,
      date: `2026-11-${String(17 - index).padStart(2, '0')}T09:00:00.000Z`,
    }),
  );
  const { user } = open({ sessions });
  await table();
  expect(await booksIn()).toHaveLength(12);
  await user.selectOptions(screen.getByRole('combobox', { name: 'Rows per page' }), '10');
  await waitFor(async () => expect(await booksIn()).toHaveLength(10));
  await user.click(screen.getByRole('link', { name: 'Next page' }));
  await waitFor(async () => expect(await booksIn()).toEqual(['Book 10', 'Book 11']));
});

it('a pupil’s page says that there are no reading sessions in the given date range', async () => {
  open({ sessions: [] });
  expect(await screen.findByText('No reading sessions found for this pupil in the given date range.')).toBeTruthy();
});

it('a summary that cannot be loaded is reported as an error on the pupil’s page', async () => {
  setTimeZone('Europe/London');
  signIn(makeUser());
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
    'GET /v1/enterprises/7/readers/5': () => ({ reader: makePupil() }),
  });
  const fakeFetch = fetch;
  vi.stubGlobal('fetch', async (address: string, init?: RequestInit) =>
    address.startsWith('/v1/enterprises/7/readers/5/summary')
      ? rejectWith(500, { error: 'The summary is broken', error_type: 'server' })
      : fakeFetch(address, init),
  );
  renderRoutes([{ path: '/pupils/:id', Component: PupilPage }], '/pupils/5');
  expect(await screen.findByRole('heading', { level: 1, name: 'Ada Baker' })).toBeTruthy();
  const alert = (await screen.findByText(/The summary is broken/)).closest('[role=alert]') as HTMLElement;
  expect(within(alert).getByRole('img', { name: 'Problem' })).toBeTruthy();
});

/** The page of a pupil of another teacher's class, in a school with the new statistics. Returns the requests. */
function openAs(role: Exclude<Role, 'admin'>, covers: User['covers'] = []) {
  signIn(makeUser({ enterprise_user_role: 'teacher', role, covers }));
  const requested: string[] = [];
  const replies: Record<string, object> = {
    '/v1/enterprises/7': { enterprise: makeSchool({ user_manages: false, features: ['new_statistics'] }) },
    '/v1/enterprises/7/readers/5': {
      reader: makePupil({ can_update: false, group: { id: 4, name: '3 Badgers' } }),
    },
    '/v1/enterprises/7/readers/5/summary': {
      total_reading_time: 0,
      average_reading_time: 0,
      books_completed: 0,
      books_in_progress: 0,
      books_not_started: 0,
      reading_sessions: [makeSession()],
    },
    '/v1/enterprises/7/readers/5/notes': { notes: [] },
    '/v1/enterprises/7/tags': { tags: [{ id: 1, name: 'Chess club', kind: 'own', reader_ids: [5] }] },
    '/v1/enterprises/7/readers/5/progress': {
      level: null,
      words: role === 'reading_lead' ? [] : null,
      hours: { in_school: 22_800, outside: 11_100 },
    },
  };
  vi.stubGlobal('fetch', async (address: string, { method = 'GET' }: RequestInit = {}) => {
    requested.push(`${method} ${address}`);
    const reply = replies[new URL(address, 'http://portal').pathname];
    return reply
      ? Response.json(reply)
      : Response.json({ error: 'Nothing was found.', error_type: 'not_found' }, { status: 404 });
  });
  renderRoutes([{ path: '/pupils/:id', Component: Page }], '/pupils/5');
  return requested;
}

const areShown = (names: readonly string[]) =>
  names.filter((name) => screen.queryByRole('heading', { name }) ?? screen.queryByRole('button', { name }));
const DETAILS = ['Notes', 'Tags', 'Words to practise', 'Print for parents’ evening'];
const CHANGES = ['UPDATE PUPIL NAME', 'RESET PASSWORD'];

it('shows the reading time of a pupil in and out of school hours, with what it means', async () => {
  openAs('teaching_assistant');
  await screen.findByText('In school hours 6 h 20 min, outside 3 h 5 min');
  expect(screen.getByLabelText('About school hours')).toBeTruthy();
  expect(screen.getByText(/your school’s retention periods have removed no longer count/)).toBeTruthy();
});

it('shows a teaching assistant the reading of a pupil, with Reset password, and no notes, tags, words and report', async () => {
  const requested = openAs('teaching_assistant');
  await table();
  await screen.findByRole('button', { name: 'RESET PASSWORD' });
  expect(areShown([...DETAILS, ...CHANGES])).toEqual(['RESET PASSWORD']);
  expect(screen.getByRole('link', { name: 'Books' }).getAttribute('href')).toBe('/pupils/5/books');
  expect(screen.queryByText(/can see this pupil’s words/)).toBeNull();
  expect(requested.filter((name) => isForbidden('teaching_assistant', name))).toEqual([]);
});

it.each(['teacher', 'teaching_assistant', 'supply_teacher'] as const)(
  'offers someone with the role %s who covers the pupil’s class a new name and password, and no details',
  async (role) => {
    const requested = openAs(role, [{ group_id: 4, ends_at: '2099-11-27T15:30:00.000Z' }]);
    await table();
    await screen.findByRole('button', { name: 'UPDATE PUPIL NAME' });
    expect(areShown([...DETAILS, ...CHANGES])).toEqual(CHANGES);
    expect(requested.filter((name) => isForbidden(role, name))).toEqual([]);
  },
);

it('shows a reading lead notes, tags, words and the report of a pupil whom they cannot change', async () => {
  openAs('reading_lead');
  await table();
  await screen.findByRole('heading', { name: 'Notes' });
  await waitFor(() => expect(areShown([...DETAILS, ...CHANGES])).toEqual(DETAILS));
  screen.getByRole('link', { name: 'MANAGE BOOKS' });
});

it('names to a teacher those who can see more of a pupil in another teacher’s class', async () => {
  openAs('teacher');
  await table();
  await screen.findByText(/^Only admins can see this pupil’s words to practise/);
  expect(areShown([...DETAILS, ...CHANGES])).toEqual([]);
});
