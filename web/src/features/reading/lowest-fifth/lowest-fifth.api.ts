import { lowestFifthCalls } from '#contract/calls/lowest-fifth.ts';
import { YEAR_GROUPS, type YearGroup } from '#contract/year-group.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';

/** The year group in the URL (`?year=3`); undefined for the one that the server chooses. */
export const yearInUrl = (query: URLSearchParams): YearGroup | undefined =>
  YEAR_GROUPS.find((code) => code === query.get('year'));

/** The pupils of a year group who read least well. */
export const lowestFifthQuery = (schoolId: number, year: YearGroup | undefined) =>
  apiQuery(lowestFifthCalls.listLowestFifth, {
    params: { id: schoolId },
    query: year === undefined ? {} : { year_group: year },
  });

export const lowestFifthQueries: FirstQueries = ({ schoolId, query }) => [lowestFifthQuery(schoolId, yearInUrl(query))];
