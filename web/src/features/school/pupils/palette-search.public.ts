import { pupilCalls } from '#contract/calls/pupils.ts';
import { apiQuery } from '../../../shared/api-query.ts';

/** The first ten pupils, by name, whose name or username has all the words: of the school, or of a teacher's classes. */
export const findPupilsQuery = (schoolId: number, search: string, isOwn = false) =>
  apiQuery(pupilCalls.listPupils, {
    params: { id: schoolId },
    query: { page: 1, per_page: 10, search, ...(isOwn && { groups: 'mine' }), sort: { name: 'asc' } },
  });
