import { currentTime } from './page-scope.ts';
import { onSchoolClock, startOfDay } from './school-clock.ts';

/** The current day on the schools' clock: `2026-11-21`. */
export const today = (now = currentTime()): string => onSchoolClock(now)?.toISOString().slice(0, 10) ?? '';

/** The day of a moment on the schools' clock. */
export const dayOf = (moment: string): string => today(Date.parse(moment));

/** A range of days as two moments for calls: the start of the first day and the end of the last. */
export function momentsOf({ from, to }: { from: string; to: string }): { start: string; end: string } {
  const after = new Date(Date.parse(`${to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return { start: new Date(startOfDay(from)).toISOString(), end: new Date(startOfDay(after) - 1).toISOString() };
}
