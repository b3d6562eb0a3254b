import { pupilCalls } from '#contract/calls/pupils.ts';
import { apiQuery } from '../../shared/api-query.ts';

/** The first ten pupils, by name, whose name or username has all the words. */
export const findPupilsQuery = (schoolId: number, search: string) =>
  apiQuery(pupilCalls.listPupils, {
    params: { id: schoolId },
    query: { page: 1, per_page: 10, search, sort: { name: 'asc' } },
  });
