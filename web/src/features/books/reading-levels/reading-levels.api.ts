import { useQuery } from '@tanstack/react-query';
import type { BodyInputOf } from '#contract/call.ts';
import { readingLevelCalls } from '#contract/calls/reading-levels.ts';
import type { ReadingLevel } from '#contract/reading-levels.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useSchoolId } from '../../../shared/session.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The book bands and ages of the levels, which seldom change. */
export const readingLevelsQuery = (schoolId: number) => ({
  ...apiQuery(readingLevelCalls.listReadingLevels, { params: { id: schoolId } }),
  staleTime: Infinity,
});

/** A reading level with its book band and ages; undefined until the server has replied. */
export const useReadingLevel = (level: number): ReadingLevel | undefined =>
  useQuery(readingLevelsQuery(useSchoolId())).data?.levels.find((row) => row.level === level);

/** The same for an operator. */
export const levelsForOperatorsQuery = () => apiQuery(readingLevelCalls.listLevelsForOperators, {});

export const useUpdateReadingLevel = (level: number) =>
  useInvalidatingMutation(
    (body: BodyInputOf<typeof readingLevelCalls.updateReadingLevel>) =>
      call(readingLevelCalls.updateReadingLevel, { params: { level }, body }),
    { awaits: [readingLevelCalls.listLevelsForOperators], renews: [] },
  );
