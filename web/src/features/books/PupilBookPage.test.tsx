// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import type { Book } from '#contract/calls/books.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
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

const BOOK: Book = {
  id: 6,
  title: 'The Lantern',
  description: 'A walk in the dark.',
  cover_image: null,
  preview: null,
  reading_level: 3,
  collection_key: 'default',
  tags: [],
  pages_count: 12,
  is_assigned: false,
  is_assigned_via_group: false,
  is_assigned_to_reader: false,
  assigned_via: null,
};
const SESSION: ReadingSession = {
  id: '7d1c3f6e-1d5b-4c5e-9a44-2f0d6b8e9c10',
  book_id: 6,
  book_title: 'The Lantern',
  date: '2026-11-18T10:00:00.000Z',
  reading_time: 120,
  total_reading_time: 120,
  accuracy: null,
  range_progressive_accuracy: 90,
  has_completed_book: false,
  was_completed_before: false,
  words_correct_per_minute: 27,
  last_page: 3,
  heatmap: [10],
  played_words: [],
  skipped_words: [],
};

function showSession(hasWords: boolean, book: Book = BOOK) {
  signIn(makeUser({ enterprise_user_role: 'teacher' }));
  fakeApi({
    'GET /v1/enterprises/7?include=invoices': () => ({ enterprise: makeSchool({ user_manages: false }) }),
    'GET /v1/enterprises/7/readers/5/books/6/summary': () => ({
      book,
      reading_sessions: [SESSION],
      meta: { reader_name: 'Dilys Okoro', has_words: hasWords },
    }),
  });
  return renderRoutes([{ path: '/pupils/:id/books/:bookId', Component: PupilBookPage }], '/pupils/5/books/6');
}

it('says to a teacher of another class why a pupil’s words are missing', async () => {
  showSession(false);
  for (const name of ['Words requested help with', 'Words not turned green'])
    expect(await screen.findByRole('heading', { level: 3, name })).toBeTruthy();
  expect(screen.getAllByText('Words are shown to the pupil’s own teachers.')).toHaveLength(2);
  expect(screen.queryByText(/^None:/)).toBeNull();
});

it('says to the pupil’s own teacher that a session has no such words', async () => {
  showSession(true);
  expect(await screen.findByText('None: no word was asked for in this session.')).toBeTruthy();
  expect(screen.queryByText('Words are shown to the pupil’s own teachers.')).toBeNull();
});

it('names the book and the pupil, and requests a cover 400 pixels high', async () => {
  const { container } = showSession(true, { ...BOOK, cover_image: '/content/covers/6?v=a' });
  expect(await screen.findByRole('heading', { level: 1, name: 'The Lantern' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Dilys Okoro' }).getAttribute('href')).toBe('/pupils/5');
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/content/covers/6?v=a&height=400');
});
