import { findYear } from '#contract/school-year.ts';

/** The last year of a primary school, whose pupils leave. */
const LAST = 6;

/**
 * The name of the class in the next year group: `Year 3 Wrens` becomes `Year 4 Wrens`, `RB` `1B`. Null if the name
 * has no year.
 */
export function nextName(name: string): string | null {
  const found = findYear(name);
  if (!found) return null;
  const { text, year } = found;
  const next =
    year === -1 ? 'Reception' : year === 0 ? (text.length > 1 ? 'Year 1' : '1') : text.replace(/\d+/, String(year + 1));
  return name.replace(text, next);
}

/** Whether the class is in the last year. */
export const isLastYear = (name: string): boolean => (findYear(name)?.year ?? -1) >= LAST;
