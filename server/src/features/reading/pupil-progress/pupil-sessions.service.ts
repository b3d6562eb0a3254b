import { calculateAccuracy } from '#contract/accuracy.ts';
import type { ReadingSession } from '#contract/calls/reading.ts';
import type { SessionRow } from './pupil-sessions.queries.ts';

/** Shorter sessions have no meaningful reading speed. */
const MIN_SECONDS_FOR_SPEED = 10;

/** Words correct per minute, rounded up; null for a session that is too short. */
const wordsCorrectPerMinute = (correct: number, seconds: number): number | null =>
  seconds < MIN_SECONDS_FOR_SPEED ? null : Math.ceil((correct * 60) / seconds);

/** Maps a session to the API, without its words for callers who may not read them. */
export function toReadingSession(row: SessionRow, hasWords: boolean): ReadingSession {
  const soFar = calculateAccuracy(row.reading_correct, row.reading_attempted);
  return {
    id: row.id,
    book_id: row.book_id,
    book_title: row.book_title,
    date: row.started_at.toISOString(),
    reading_time: row.reading_time,
    total_reading_time: row.total_reading_time,
    accuracy: row.has_completed_book ? soFar : null,
    range_progressive_accuracy: soFar,
    has_completed_book: row.has_completed_book,
    was_completed_before: row.was_completed_before,
    words_correct_per_minute: wordsCorrectPerMinute(row.words_correct, row.reading_time),
    last_page: row.last_page,
    heatmap: row.heatmap,
    played_words: hasWords ? row.played_words : [],
    skipped_words: hasWords ? row.skipped_words : [],
    is_reading: row.is_reading,
    clock: row.clock,
  };
}
