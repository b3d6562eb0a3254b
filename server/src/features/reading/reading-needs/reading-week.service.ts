import { type Calendar, type Days, listSchoolDays, mondayOf, plusDays } from '#contract/school-calendar.ts';

/** On the first school days of a week, the week shown is last week: the current one has hardly begun. */
const EARLY_SCHOOL_DAYS = 2;
/** Longer than any holiday. */
const MAX_WEEKS_BACK = 12;

export interface ReadingWeeks {
  /** Last week, or the current week until today. */
  shown: Days;
  /** The school week before it; of a week that is not over, the same days. */
  before: Days;
  isLastWeek: boolean;
  /** The current week's first day. */
  monday: string;
}

/** The Monday of the latest week before a Monday that has a school day; undefined if no recent week has one. */
export function findPreviousSchoolWeek(calendar: Calendar, monday: string): string | undefined {
  for (let weeks = 1; weeks <= MAX_WEEKS_BACK; weeks += 1) {
    const from = plusDays(monday, -7 * weeks);
    if (listSchoolDays(calendar, { from, to: plusDays(from, 6) }).length > 0) return from;
  }
  return undefined;
}

const previousWeek = (calendar: Calendar, monday: string): string =>
  findPreviousSchoolWeek(calendar, monday) ?? plusDays(monday, -7);

/** The week that a list of pupils shows, and the one it is compared with. Weeks of holidays are skipped. */
export function chooseReadingWeeks(calendar: Calendar, today: string): ReadingWeeks {
  const monday = mondayOf(today);
  const previous = previousWeek(calendar, monday);
  const isLastWeek = listSchoolDays(calendar, { from: monday, to: today }).length <= EARLY_SCHOOL_DAYS;
  if (!isLastWeek) {
    const daysIn = Math.round((Date.parse(today) - Date.parse(monday)) / 86_400_000);
    return {
      shown: { from: monday, to: today },
      before: { from: previous, to: plusDays(previous, daysIn) },
      isLastWeek,
      monday,
    };
  }
  const earlier = previousWeek(calendar, previous);
  return {
    shown: { from: previous, to: plusDays(previous, 6) },
    before: { from: earlier, to: plusDays(earlier, 6) },
    isLastWeek,
    monday,
  };
}
