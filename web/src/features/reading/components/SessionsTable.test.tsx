// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { ReadingSession } from '#contract/calls/reading.ts';
import { makeUser } from '../../../testing/make-school.ts';
import { renderInApp, signIn } from '../../../testing/render-in-app.tsx';
import { SessionsTable } from './SessionsTable.tsx';

const makeSession = (day: number): ReadingSession => ({
  id: `7d1c3f6e-1d5b-4c5e-9a44-2f0d6b8e9c${day}`,
  book_id: day,
  book_title: `Book ${day}`,
  date: `2026-11-${day}T10:00:00.000Z`,
  reading_time: 120,
  total_reading_time: 120,
  accuracy: null,
  range_progressive_accuracy: 90,
  has_completed_book: false,
  was_completed_before: false,
  words_correct_per_minute: 27,
  last_page: 3,
  heatmap: [],
  played_words: [],
  skipped_words: [],
});
const range = { start: '2026-11-01T00:00:00.000Z', end: '2026-11-30T23:59:59.999Z' };

function show(sessions: ReadingSession[]) {
  signIn(makeUser());
  renderInApp(<SessionsTable pupilId={5} range={range} sessions={sessions} isStale={false} failure={null} />);
}

it('says that a pupil has no reading sessions in the date range', () => {
  show([]);
  expect(screen.getByText('No reading sessions found for this pupil in the given date range.')).toBeTruthy();
});

it('lists reading sessions with the latest first', () => {
  show([makeSession(12), makeSession(14), makeSession(13)]);
  const [, ...rows] = within(screen.getByRole('table')).getAllByRole('row');
  expect(rows.map(({ textContent }) => /Book 1\d/.exec(textContent)?.[0])).toEqual(['Book 14', 'Book 13', 'Book 12']);
});
