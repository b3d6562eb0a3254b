// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react';
import type { Book } from '#contract/calls/books.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { useLocation } from '../../../shared/router.ts';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fakeApi, rejectWith } from '../../../testing/fake-api.ts';
import { makeSchool, makeUser } from '../../../testing/make-school.ts';
import { makeBook, makeSession } from '../../../testing/make-reading.ts';
import { renderRoutes, signIn } from '../../../testing/render-in-app.tsx';
import PupilBookPage from './PupilBookPage.tsx';

it.each([
  { code: 'book_not_found', error: 'Nothing was found.', heading: 'Book not found' },
  { code: 'pupil_not_found', error: 'The pupil who read this book was not found.', heading: 'Pupil not found' },
])(
  'the page of a pupil’s book shows “$heading” for the error code $code, whatever the text says',
  async ({ code, error, heading }) => {
    signIn(makeUser());
    fakeApi({
      'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool() }),
      'GET /v1/enterprises/7/readers/5/books/6/summary': () =>
        rejectWith(404, { error, error_type: 'not_found', code }),
    });
    renderRoutes([{ path: '/pupils/:id/books/:bookId', Component: PupilBookPage }], '/pupils/5/books/6');
    expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy();
  },
);

function Page() {
  return (
    <>
      <output aria-label="URL">{useLocation().search}</output>
      <PupilBookPage />
    </>
  );
}

/** Shows the page of a pupil’s book with these sessions. */
function showBook(book: Book, sessions: ReadingSession[], { hasWords = true } = {}) {
  signIn(makeUser({ enterprise_user_role: 'teacher', role: 'teacher' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: false }) }),
    'GET /v1/enterprises/7/readers/5/books/6/summary': () => ({
      book,
      reading_sessions: sessions,
      meta: { reader_name: 'Dilys Okoro', has_words: hasWords },
    }),
  });
  return renderRoutes([{ path: '/pupils/:id/books/:bookId', Component: Page }], '/pupils/5/books/6');
}

it('a teacher of another class sees why a pupil’s words are missing', async () => {
  showBook(makeBook(), [makeSession()], { hasWords: false });
  for (const name of ['Words requested help with', 'Words not turned green'])
    expect(await screen.findByRole('heading', { level: 3, name })).toBeTruthy();
  expect(screen.getAllByText('Words are shown to the pupil’s own teachers.')).toHaveLength(2);
  expect(screen.queryByText(/^None:/)).toBeNull();
});

it('the pupil’s own teacher sees that a session has no such words', async () => {
  showBook(makeBook(), [makeSession()]);
  expect(await screen.findByText('None: no word was asked for in this session.')).toBeTruthy();
  expect(screen.queryByText('Words are shown to the pupil’s own teachers.')).toBeNull();
});

it('the page of a pupil’s book shows the cover at a height of 400, the title, the description and the reading level, and the preview in a dialog', async () => {
  const book = makeBook({ cover_image: '/content/covers/6?v=1', preview: '/content/previews/6.pdf?v=1' });
  const { container, user } = showBook(book, []);
  expect(await screen.findByRole('heading', { level: 1, name: 'The Lantern' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Dilys Okoro' }).getAttribute('href')).toBe('/pupils/5');
  expect(container.querySelector('main img, img')?.getAttribute('src')).toBe('/content/covers/6?v=1&height=400');
  expect(screen.getByText('A walk in the dark.')).toBeTruthy();
  expect(screen.getByText('Level 3')).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Preview book' }));
  expect(await screen.findByRole('dialog', { name: 'The Lantern' })).toBeTruthy();
});

it.each([
  ['Not assigned', {}],
  ['Assigned via class', { is_assigned: true, is_assigned_via_group: true, assigned_via: 'group' }],
  ['Assigned to pupil', { is_assigned: true, is_assigned_to_reader: true, assigned_via: 'reader' }],
] as const)('the page of a pupil’s book shows the badge “%s” and no other', async (badge, assignment) => {
  showBook(makeBook(assignment), []);
  expect(await screen.findByText(badge)).toBeTruthy();
  expect(screen.getAllByText(/^(not )?assigned/i)).toHaveLength(1);
});

/** The figures of the chosen session: each label with its value. */
const figures = () =>
  Object.fromEntries(
    screen
      .getAllByRole('term')
      .map((label) => [
        [...label.childNodes].find((node) => node.nodeType === Node.TEXT_NODE)?.textContent,
        label.nextElementSibling?.textContent,
      ]),
  );

it('a session that did not complete the book shows the date and figures, with the projected accuracy', async () => {
  showBook(makeBook(), [makeSession({ total_reading_time: 90, range_progressive_accuracy: 90.7 })]);
  expect(await screen.findByRole('heading', { level: 2, name: '18 November 2026, 10:00' })).toBeTruthy();
  expect(figures()).toEqual({
    'Total reading time': '90 seconds',
    'Words correct per minute': '27',
    'Projected Accuracy': '90%',
    'Book progress': 'Page 3 of 12',
  });
  expect(within(screen.getByRole('group', { name: 'Attention by page' })).getAllByRole('button')).toHaveLength(12);
});

it('a session that completed the book shows the accuracy, and no words correct per minute without a value', async () => {
  const completed = { has_completed_book: true, accuracy: 84, last_page: 12, words_correct_per_minute: null };
  showBook(makeBook(), [makeSession(completed)]);
  await screen.findByRole('heading', { level: 2, name: /^18 November 2026/ });
  expect(figures()).toEqual({
    'Total reading time': '2 minutes',
    Accuracy: '84%',
    'Book progress': 'complete',
  });
});

it('a session lists the words requested help with and the words not turned green, and a dialog explains why words are missing', async () => {
  const { user } = showBook(makeBook(), [makeSession({ played_words: ['moat'], skipped_words: ['castle', 'tower'] })]);
  const wordsUnder = async (name: string) => {
    const list = (await screen.findByRole('heading', { level: 3, name })).closest('section')!;
    return within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
  };
  expect(await wordsUnder('Words requested help with')).toEqual(['moat']);
  expect(await wordsUnder('Words not turned green')).toEqual(['castle', 'tower']);
  await user.click(screen.getByRole('button', { name: 'What does this mean?' }));
  const dialog = await screen.findByRole('dialog', { name: 'Words not turned green' });
  expect(within(dialog).getByText(/^A word can be missing because it was skipped/)).toBeTruthy();
});

it('the history lists date, reading time and accuracy of each session; the chosen one is in rid, shown and scrolled to', async () => {
  const newest = makeSession({ has_completed_book: true, accuracy: 84, reading_time: 180 });
  const oldest = makeSession({ id: '11111111-1d5b-4c5e-9a44-2f0d6b8e9c10', date: '2026-11-02T09:30:00.000Z' });
  const scrolled: Element[] = [];
  const spy = vi.spyOn(HTMLElement.prototype, 'scrollIntoView').mockImplementation(function note(this: HTMLElement) {
    scrolled.push(this);
  });
  onTestFinished(() => spy.mockRestore());
  const { user } = showBook(makeBook(), [newest, oldest]);
  expect(await screen.findByRole('heading', { level: 2, name: 'Reading History' })).toBeTruthy();
  const rows = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ['Date', 'Reading time', 'Accuracy'],
    ['18 November 2026, 10:00', '3 minutes', '84% complete'],
    ['2 November 2026, 09:30', '2 minutes', '90% projected'],
  ]);
  await user.click(screen.getByRole('link', { name: '2 November 2026, 09:30' }));
  await waitFor(() => expect(screen.getByLabelText('URL').textContent).toBe(`?rid=${oldest.id}`));
  expect(screen.getByRole('heading', { level: 2, name: '2 November 2026, 09:30' })).toBeTruthy();
  expect(scrolled.at(-1)).toBe(rows[2]);
});
