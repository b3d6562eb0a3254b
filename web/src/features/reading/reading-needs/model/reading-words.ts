import { MIN_WORDS } from '#contract/accuracy.ts';
import type { ClassReading } from '#contract/calls/class-reading.ts';
import { count, formatAccuracy, formatDate, formatDayOfYear } from '../../../../shared/format.ts';
import { addDays } from '../../../../ui/date-range.ts';

/** A past day in short: `Today`, `16 November`, `16 November 2025`, `Never`. */
export function pastDay(day: string | null, today: string): string {
  if (day === null) return 'Never';
  if (day === today) return 'Today';
  if (day === addDays(today, -1)) return 'Yesterday';
  return day.slice(0, 4) === today.slice(0, 4) ? formatDayOfYear(day) : formatDate(day);
}

/** Active seconds as whole minutes, rounded up so that any reading is at least a minute. */
export const minutes = (seconds: number): number => Math.ceil(seconds / 60);

export const isFew = (words: number): boolean => words > 0 && words < MIN_WORDS;

/** The accuracy of a class, with its scope; undefined when no word was attempted. */
export function classAccuracy({ accuracy, words }: Pick<ClassReading, 'accuracy' | 'words'>): string | undefined {
  if (accuracy === null) return undefined;
  const few = isFew(words) ? `, from ${count(words, 'word')}` : '';
  return `Accuracy, last six weeks: ${formatAccuracy(accuracy)}${few}.`;
}
