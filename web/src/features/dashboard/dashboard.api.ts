import { chartCalls, type ChartName } from '#contract/calls/charts.ts';
import { apiQuery } from '../../shared/api-query.ts';
import { can } from '../../shared/can.ts';
import type { FirstQueries } from '../../shared/first-queries.ts';
import type { DayRange } from '../../ui/date-range.ts';
import { visitRange } from '../../ui/visit-range.ts';
import { needsQuery, notReadThisWeekQuery } from '../reading-needs/reading-needs.public.ts';
import { termDatesQuery } from '../school/school.public.ts';
import { CHARTS } from './model/charts.ts';
import { classInUrl } from './model/class-choice.ts';

/** Whose reading, and when. Without a class or a pupil: the whole school; a teacher: the own classes. */
export interface Scope {
  classId?: number | undefined;
  pupilId?: number;
  range: DayRange;
}

/** Always in the same order, so that equal questions have equal addresses. */
const scopeInput = ({ classId, pupilId, range }: Scope) => ({
  ...(classId !== undefined && { group_id: classId }),
  ...(pupilId !== undefined && { reader_id: pupilId }),
  start_date: range.from,
  end_date: range.to,
});

export const chartInput = (name: ChartName, scope: Scope) => ({ name, ...scopeInput(scope) });

/** One chart. */
export const chartQuery = (name: ChartName, scope: Scope) =>
  apiQuery(chartCalls.getChart, { query: chartInput(name, scope) });

/** How the figures have changed against the period before. For schools with the new statistics. */
export const comparisonQuery = (scope: Scope) => apiQuery(chartCalls.compareFigures, { query: scopeInput(scope) });

export const dashboardQueries: FirstQueries = ({ user, schoolId, query }) => {
  const scope = { classId: classInUrl(query), range: visitRange(query) };
  return [
    needsQuery(schoolId, scope.classId),
    ...(scope.classId === undefined && can(user, 'see_all_classes')
      ? []
      : [notReadThisWeekQuery(schoolId, scope.classId)]),
    termDatesQuery(schoolId),
    comparisonQuery(scope),
    ...CHARTS.map(({ name }) => chartQuery(name, scope)),
  ];
};
