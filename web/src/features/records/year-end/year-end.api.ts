import { schoolCalls } from '#contract/calls/school.ts';
import { type YearEndStep, yearEndCalls } from '#contract/calls/year-end.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';

/** The school with its classes, staff and all pupils. */
export const schoolWithPupilsQuery = (id: number) =>
  apiQuery(schoolCalls.getSchool, { params: { id }, query: { include: 'readers' } });

/** The year end that can still be undone. */
export const yearEndQuery = (id: number) => apiQuery(yearEndCalls.getYearEnd, { params: { id } });

export const yearEndPageQueries: FirstQueries = ({ schoolId }) => [
  schoolWithPupilsQuery(schoolId),
  yearEndQuery(schoolId),
];

export const useApplyYearEnd = (id: number) =>
  useInvalidatingMutation(
    (classes: YearEndStep[]) => call(yearEndCalls.applyYearEnd, { params: { id }, body: { classes } }),
    { awaits: [yearEndCalls.getYearEnd, schoolCalls.getSchool] },
  );
