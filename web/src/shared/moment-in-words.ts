import { plusDays } from '#contract/school-calendar.ts';
import { formatDayOfYear, formatTime, formatWeekday } from './format.ts';
import { currentTime } from './page-scope.ts';
import { today } from './school-day.ts';

/** The last minute of a day, which people call its end. */
const isEndOfDay = (moment: string): boolean => formatTime(moment) === '23:59';

/** The day of a moment; midnight belongs to the day that it ends. */
function dayAndTime(value: string): { day: string; time: string | null } {
  const isMidnight = formatTime(value) === '00:00';
  const moment = isMidnight ? new Date(Date.parse(value) - 1).toISOString() : value;
  return { day: today(Date.parse(moment)), time: isMidnight || isEndOfDay(moment) ? null : formatTime(moment) };
}

/** Until when something lasts: `Friday 27 November at 15:30`, `the end of Friday 27 November`. */
export function untilInWords(moment: string): string {
  const { day, time } = dayAndTime(moment);
  const name = `${formatWeekday(day)} ${formatDayOfYear(day)}`;
  return time === null ? `the end of ${name}` : `${name} at ${time}`;
}

/** The same as someone would put it now: `15:30 today`, `the end of tomorrow`, `Friday 27 November at 15:30`. */
export function untilFromNow(moment: string, now = currentTime()): string {
  const { day, time } = dayAndTime(moment);
  const near = day === today(now) ? 'today' : day === plusDays(today(now), 1) ? 'tomorrow' : null;
  if (near === null) return untilInWords(moment);
  return time === null ? `the end of ${near}` : `${time} ${near}`;
}
