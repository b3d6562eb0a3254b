import { count, formatAccuracy, formatDuration, formatNumber } from '../../../shared/format.ts';

/** What a chart counts: per cent, seconds, or books. */
export type Measure = 'accuracy' | 'time' | 'books';

const tenths = (value: number): number => Math.round(value * 10) / 10;

const books = (value: number): string => (value > 0 && value < 0.05 ? '< 0.1 books' : count(tenths(value), 'book'));

/** A value in full: `96%`, `3 hours 12 minutes`, `1 book`. A dash where there is none. */
export function inWords(measure: Measure, value: number | null): string {
  if (value === null) return '–';
  return measure === 'accuracy' ? formatAccuracy(value) : measure === 'time' ? formatDuration(value) : books(value);
}

/** The same where room is short: `3 h 12 min`, `12`. */
export function inShort(measure: Measure, value: number | null): string {
  if (value === null) return '–';
  if (measure === 'accuracy') return formatAccuracy(value);
  if (measure === 'books') return formatNumber(tenths(value));
  const seconds = Math.round(value);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? `${minutes} min`
    : `${Math.floor(minutes / 60)} h${minutes % 60 > 0 ? ` ${minutes % 60} min` : ''}`;
}

/** A large figure: times short, so that it stays on one line. */
export const asFigure = (measure: Measure, value: number | null): string =>
  measure === 'time' ? inShort(measure, value) : inWords(measure, value);

/** How a figure has changed: `+12 min`, `−3 points`, `no change` where it is less than what is shown. */
export function changeInWords(measure: Measure, change: number): string {
  const size = Math.abs(change);
  const text =
    measure === 'accuracy'
      ? count(Math.round(size), 'point')
      : measure === 'books'
        ? count(tenths(size), 'book')
        : inShort('time', size);
  return text.startsWith('0 ') ? 'no change' : `${change < 0 ? '−' : '+'}${text}`;
}

/** Minutes for a table that says so in its head: whole ones, `< 1` for a little. */
export const inMinutes = (seconds: number): string =>
  seconds > 0 && seconds < 30 ? '< 1' : formatNumber(Math.round(seconds / 60));

/** Whether a pupil or a bucket has anything: an accuracy of 0 is one, no time is none. */
export const hasReading = (measure: Measure, value: number | null | undefined): boolean =>
  value !== null && value !== undefined && (measure === 'accuracy' || value > 0);
