import { plusDays } from '#contract/school-calendar.ts';
import { untilFromNow } from '../../../../shared/moment-in-words.ts';
import { currentTime } from '../../../../shared/page-scope.ts';
import { momentOnSchoolClock } from '../../../../shared/school-clock.ts';
import { today } from '../../../../shared/school-day.ts';

/** When pupils go home. */
export const HOME_TIME = '15:30';
const END_OF_DAY = '23:59';

const SUNDAY = 0;
const MONDAY = 1;
const FRIDAY = 5;
const SATURDAY = 6;
const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** The next given weekday after a day. */
const nextWeekday = (weekday: number, day: string): string => plusDays(day, ((weekday - weekdayOf(day) + 6) % 7) + 1);

/** A time of a day as the API takes it. */
export const toEnd = (day: string, time: string): string => new Date(momentOnSchoolClock(day, time)).toISOString();

/**
 * The ends of a cover that are offered, the earliest first: at home time and at the end of today, and on Friday. On a
 * weekend, on Monday in place of today.
 */
export function listCoverEnds(now = currentTime()): { endsAt: string; label: string }[] {
  const day = today(now);
  const isWeekend = [SUNDAY, SATURDAY].includes(weekdayOf(day));
  const ends = [
    ...(isWeekend
      ? [toEnd(nextWeekday(MONDAY, day), HOME_TIME)]
      : [toEnd(day, HOME_TIME), toEnd(day, END_OF_DAY)].filter((end) => Date.parse(end) > now)),
    toEnd(nextWeekday(FRIDAY, day), HOME_TIME),
  ];
  return ends.map((endsAt) => {
    const words = untilFromNow(endsAt, now);
    return { endsAt, label: words.charAt(0).toUpperCase() + words.slice(1) };
  });
}
