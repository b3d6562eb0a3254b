import type { ClassReading } from '#contract/calls/class-reading.ts';
import { count, formatAccuracy, formatDate, formatDayOfYear, formatNumber } from '../../../shared/format.ts';
import { addDays } from '../../../ui/date-range.ts';

/** On fewer words nothing is said about how somebody reads. */
const FEWEST_WORDS = 100;

/** A day in the past where room is short: `Today`, `16 November`, `16 November 2025`, `Never`. */
export function pastDay(day: string | null, today: string): string {
  if (day === null) return 'Never';
  if (day === today) return 'Today';
  if (day === addDays(today, -1)) return 'Yesterday';
  return day.slice(0, 4) === today.slice(0, 4) ? formatDayOfYear(day) : formatDate(day);
}

/** Active seconds as whole minutes; begun ones count, so that a little is not nothing. */
export const minutes = (seconds: number): number => Math.ceil(seconds / 60);

export const isFew = (words: number): boolean => words > 0 && words < FEWEST_WORDS;

/** What a class read, in one line. */
export function classInWords({ readers: pupils, ...reading }: ClassReading): string {
  const { read_this_week: pupilCount, reading_time_this_week: time } = reading;
  const who =
    pupilCount === 0
      ? 'Nobody has read this week yet'
      : `${pupilCount === pupils.length ? 'All' : formatNumber(pupilCount)} of ${count(pupils.length, 'pupil')} read this week: ${count(minutes(time), 'minute')}, ${formatNumber(Math.round(minutes(time) / pupils.length))} a pupil`;
  if (reading.accuracy === null) return `${who}.`;
  const few = isFew(reading.words) ? `, over ${count(reading.words, 'word')} only` : '';
  return `${who}. Accuracy of the last six weeks: ${formatAccuracy(reading.accuracy)}${few}.`;
}
