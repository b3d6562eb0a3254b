import { parseDate } from './calendar-date.ts';

/** No pupil of a primary school is older. */
const MAX_AGE_YEARS = 25;

/** A date as the date of birth of a pupil; null if it is in the future or too long ago. `today` is YYYY-MM-DD. */
export function toBirthDate(date: string | null, today: string): string | null {
  const oldest = `${Number(today.slice(0, 4)) - MAX_AGE_YEARS}${today.slice(4)}`;
  return date !== null && date <= today && date >= oldest ? date : null;
}

/**
 * The date of birth in a cell as YYYY-MM-DD; null if it is not one.
 * @param today YYYY-MM-DD
 */
export const parseBirthDate = (text: string, today: string): string | null =>
  toBirthDate(parseDate(text, today) ?? null, today);
