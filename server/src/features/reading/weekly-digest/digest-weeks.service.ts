import { type Calendar, type Days, listSchoolDays, plusDays } from '#contract/school-calendar.ts';
import { findPreviousSchoolWeek } from '../reading-needs/reading-needs.public.ts';

/** What the digest of a Monday is about. */
export interface DigestWeeks {
  /** The Monday of last week, by which a digest is recorded as sent. */
  week: string;
  /** The latest school week, Monday to Sunday. */
  covered: Days;
  /** The days without school between that week and the current one, if last week had no school day. */
  holiday: Days | null;
}

/**
 * The weeks of a digest: last week, or after holidays the school week before them. Undefined in a week without a school
 * day, and when there was no school week in the last three months.
 * @param week the Monday of last week
 */
export function chooseDigestWeeks(calendar: Calendar, week: string): DigestWeeks | undefined {
  const monday = plusDays(week, 7);
  const [firstDay] = listSchoolDays(calendar, { from: monday, to: plusDays(monday, 6) });
  const from = findPreviousSchoolWeek(calendar, monday);
  if (firstDay === undefined || from === undefined) return undefined;
  const covered = { from, to: plusDays(from, 6) };
  const lastDay = listSchoolDays(calendar, covered).at(-1);
  const holiday =
    from === week || lastDay === undefined ? null : { from: plusDays(lastDay, 1), to: plusDays(firstDay, -1) };
  return { week, covered, holiday };
}
