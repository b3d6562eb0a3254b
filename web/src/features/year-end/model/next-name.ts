import { findYear } from '../../../shared/school-year.ts';

/** The last year of a primary school: its pupils leave. */
const LAST = 6;

/** The name that a class of the next year group has: `Year 3 Wrens` becomes `Year 4 Wrens`, `RB` `1B`. Null where the name does not say. */
export function nextName(name: string): string | null {
  const found = findYear(name);
  if (!found) return null;
  const { text, year } = found;
  const next =
    year === -1 ? 'Reception' : year === 0 ? (text.length > 1 ? 'Year 1' : '1') : text.replace(/\d+/, String(year + 1));
  return name.replace(text, next);
}

/** Whether the class is of the last year. */
export const isLastYear = (name: string): boolean => (findYear(name)?.year ?? -1) >= LAST;
