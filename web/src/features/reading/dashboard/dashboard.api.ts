import { chartCalls, type ChartName } from '#contract/calls/charts.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { can } from '../../../shared/can.ts';
import { mailDeliveriesQueries } from '../../../shared/mail-deliveries.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import type { DayRange } from '../../../ui/date-range.ts';
import { visitRange } from '../../../ui/use-date-range.ts';
import { readingLineQuery, weekInUrl } from '../class-reading/line-queries.public.ts';
import { needsQuery } from '../reading-needs/need-queries.public.ts';
import { termDatesQuery } from '../../school/school/school.public.ts';
import { CHARTS } from './model/charts.ts';

/** Whose reading, and when. Without a class or pupil: the whole school, or a teacher's own classes. */
export interface Scope {
  classId?: number | undefined;
  pupilId?: number;
  range: DayRange;
}

/** The class that the dashboard's URL names (`?class=3`); undefined for all. */
export const classInUrl = (query: URLSearchParams): number | undefined => parseId(query.get('class'));

/** Always in the same order, so that equal scopes have equal query keys. */
export const scopeInput = ({ classId, pupilId, range }: Scope) => ({
  ...(classId !== undefined && { group_id: classId }),
  ...(pupilId !== undefined && { reader_id: pupilId }),
  start_date: range.from,
  end_date: range.to,
});

export const chartInput = (name: ChartName, scope: Scope) => ({ name, ...scopeInput(scope) });

/** One chart. */
export const chartQuery = (name: ChartName, scope: Scope) =>
  apiQuery(chartCalls.getChart, { query: chartInput(name, scope) });

/** How the figures have changed since the previous period. For schools with the new statistics. */
export const comparisonQuery = (scope: Scope) => apiQuery(chartCalls.compareFigures, { query: scopeInput(scope) });

export const dashboardQueries: FirstQueries = (visit) => {
  const { user, schoolId, query } = visit;
  const scope = { classId: classInUrl(query), range: visitRange(query) };
  return [
    readingLineQuery(schoolId, scope.classId, weekInUrl(query)),
    ...(can(user, 'view_details') ? [needsQuery(schoolId, scope.classId)] : []),
    termDatesQuery(schoolId),
    comparisonQuery(scope),
    ...CHARTS.map(({ name }) => chartQuery(name, scope)),
    ...mailDeliveriesQueries(visit),
  ];
};
