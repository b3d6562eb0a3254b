import { chartCalls, type ChartName } from '#contract/calls/charts.ts';
import { apiQuery } from '../../shared/api-query.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';
import type { DayRange } from '../../ui/date-range.ts';
import { visitRange } from '../../ui/visit-range.ts';
import { needsQuery } from '../reading-needs/reading-needs.public.ts';
import { termDatesQuery } from '../school/school.public.ts';
import { CHARTS } from './model/charts.ts';
import { classInAddress } from './model/class-choice.ts';

/** Whose reading, and when. Without a class: the whole school; a teacher: the own classes. */
export interface Scope {
  classId: number | undefined;
  range: DayRange;
}

/** The query of a chart; always in the same order, so that equal charts have equal addresses. */
export const chartInput = (name: ChartName, { classId, range }: Scope) => ({
  name,
  ...(classId !== undefined && { group_id: classId }),
  start_date: range.from,
  end_date: range.to,
});

/** One chart. */
export const chartQuery = (name: ChartName, scope: Scope) =>
  apiQuery(chartCalls.getChart, { query: chartInput(name, scope) });

export const dashboardQueries: FirstQueries = ({ schoolId, query }) => {
  const scope = { classId: classInAddress(query), range: visitRange(query) };
  return [
    needsQuery(schoolId, scope.classId),
    termDatesQuery(schoolId),
    ...CHARTS.map(({ name }) => chartQuery(name, scope)),
  ];
};
