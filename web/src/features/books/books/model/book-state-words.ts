import type { BookState } from '#contract/calls/books.ts';
import { LEVELS } from '#contract/limits.ts';

/** The level of the books offered first: one below the commonest of the pupils, the lowest for those who have not read. */
export const offeredLevel = (commonest: number | null): number => Math.max(LEVELS[0], (commonest ?? 0) - 1);

/** What some pupils have done with a book: `Opened by 4 of 6, finished by 2`, `Assigned to 2 of 6`. */
export function describeBookState({ opened, completed, assigned }: BookState, pupils: number): string[] {
  const isOne = pupils === 1;
  const reading = isOne
    ? completed > 0
      ? 'Finished'
      : 'Opened'
    : `Opened by ${opened} of ${pupils}${completed > 0 ? `, finished by ${completed}` : ''}`;
  return [
    ...(opened > 0 ? [reading] : []),
    ...(assigned > 0 ? [isOne ? 'Assigned' : `Assigned to ${assigned} of ${pupils}`] : []),
  ];
}
