import { ageInYearGroup, type YearGroup } from './year-group.ts';

/** A reading level with its UK book band, and the ages of the pupils for whom its books are meant; null if not entered. */
export interface ReadingLevel {
  level: number;
  book_band: string;
  from_age: number | null;
  to_age: number | null;
}

/** The ages that a level can have, in whole years. */
export const MIN_LEVEL_AGE = 3;
export const MAX_LEVEL_AGE = 18;

/** `Level 3 (Orange)`; `Level 3` without a book band. */
export const formatLevel = (level: number, bookBand?: string): string =>
  bookBand ? `Level ${level} (${bookBand})` : `Level ${level}`;

/** `6 to 7`, `6`; undefined without ages. */
export const formatLevelAges = ({ from_age: from, to_age: to }: ReadingLevel): string | undefined =>
  from === null || to === null ? undefined : from === to ? String(from) : `${from} to ${to}`;

/**
 * Whether a level is meant for pupils of a year group, for older ones (`above`) or for younger ones (`below`). Ages are
 * those on 1 September of the school year. Null without ages, and for a year group that has no age.
 */
export function compareWithAge(
  { from_age: from, to_age: to }: Pick<ReadingLevel, 'from_age' | 'to_age'>,
  yearGroup: YearGroup | null,
): 'at' | 'above' | 'below' | null {
  const age = yearGroup && ageInYearGroup(yearGroup);
  if (from === null || to === null || age === null) return null;
  if (age > to) return 'below';
  return age < from ? 'above' : 'at';
}
