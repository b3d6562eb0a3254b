import { describe, expect, it } from 'vitest';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { accuracyShown, sessionsAt } from './sessions-order.ts';

const session = (book_title: string, more: Partial<ReadingSession> = {}): ReadingSession => ({
  id: book_title,
  book_id: 1,
  book_title,
  date: '2026-11-10T09:00:00.000Z',
  reading_time: 60,
  total_reading_time: 60,
  accuracy: null,
  is_reading: true,
  clock: null,
  range_progressive_accuracy: null,
  has_completed_book: false,
  was_completed_before: false,
  words_correct_per_minute: null,
  last_page: 1,
  heatmap: [],
  played_words: [],
  skipped_words: [],
  ...more,
});
const titles = (sessions: ReadingSession[]) => sessions.map(({ book_title }) => book_title).join(' ');

describe('order of sessions', () => {
  const list = [
    session('b', { date: '2026-11-12T09:00:00.000Z', range_progressive_accuracy: 40 }),
    session('a', { date: '2026-11-14T09:00:00.000Z' }),
    session('C', {
      date: '2026-11-13T09:00:00.000Z',
      has_completed_book: true,
      accuracy: 90,
      range_progressive_accuracy: 10,
    }),
  ];
  const by = (field: string, direction: 'asc' | 'desc') =>
    titles(sessionsAt(list, { sort: { field, direction }, page: 1, perPage: 50 }));

  it('sessions are sorted by date, newest first, by default', () => {
    expect(titles(sessionsAt(list, { sort: null, page: 1, perPage: 50 }))).toBe('a C b');
    expect(by('date', 'asc')).toBe('b C a');
  });
  it('sessions are sorted by title regardless of case', () => expect(by('book', 'asc')).toBe('a b C'));
  it('sessions without accuracy are last in both directions', () => {
    expect(by('accuracy', 'asc')).toBe('b C a');
    expect(by('accuracy', 'desc')).toBe('C b a');
  });
  it('a page of sessions has the sessions of its place in the order', () =>
    expect(titles(sessionsAt(list, { sort: null, page: 2, perPage: 2 }))).toBe('b'));
});

it('a session shows the projected accuracy until the book is complete', () => {
  expect(accuracyShown(session('a', { range_progressive_accuracy: 70 }))).toBe(70);
  expect(accuracyShown(session('a', { has_completed_book: true, accuracy: 80, range_progressive_accuracy: 70 }))).toBe(
    80,
  );
});
