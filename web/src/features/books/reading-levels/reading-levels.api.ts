import { useQuery } from '@tanstack/react-query';
import type { BodyInputOf } from '#contract/call.ts';
import { readingLevelCalls } from '#contract/calls/reading-levels.ts';
import { formatLevel, type ReadingLevel } from '#contract/reading-levels.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The book bands and ages of the levels, which seldom change. */
export const readingLevelsQuery = (schoolId: number) => ({
  ...apiQuery(readingLevelCalls.listReadingLevels, { params: { id: schoolId } }),
  staleTime: Infinity,
});

const NO_LEVELS: readonly ReadingLevel[] = [];

/** The reading levels with their book bands and ages; none until the server has replied. */
const useReadingLevels = (): readonly ReadingLevel[] =>
  useQuery(readingLevelsQuery(useSchoolId())).data?.levels ?? NO_LEVELS;

export const useReadingLevel = (level: number): ReadingLevel | undefined =>
  useReadingLevels().find((row) => row.level === level);

/** Names a level with its book band: `Level 3 (Orange)`. */
export function useLevelName(): (level: number) => string {
  const levels = useReadingLevels();
  return (level) => formatLevel(level, levels.find((row) => row.level === level)?.book_band);
}

/** The same for an operator. */
export const levelsForOperatorsQuery = () => apiQuery(readingLevelCalls.listLevelsForOperators, {});

export const useUpdateReadingLevel = (level: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof readingLevelCalls.updateReadingLevel>) =>
      call(readingLevelCalls.updateReadingLevel, { params: { level }, body }),
    { awaits: [readingLevelCalls.listLevelsForOperators], renews: [] },
  );
