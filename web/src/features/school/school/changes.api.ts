import { AUDIT_KINDS } from '#contract/audit-kinds.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { type TableDefaults, type TableState, tableQuery, visitTableState } from '../../../ui/table-url-state.ts';

export const CHANGE_FILTERS = ['actor_id', 'kind', 'from', 'to'] as const;

/** The log cannot be sorted. */
export const changesTable: TableDefaults = { sorts: [], filters: CHANGE_FILTERS };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const isDay = (value: string | undefined): value is string =>
  value !== undefined && DAY.test(value) && !Number.isNaN(Date.parse(value));

/** The filters of the log. Others that a URL may have are left out, because the call would reject them. */
export function changesInput({ search, filters: { actor_id, kind, from, to } }: TableState) {
  const actorId = actor_id === 'support' || actor_id === 'programs' ? actor_id : parseId(actor_id);
  const knownKind = AUDIT_KINDS.find((auditKind) => auditKind === kind);
  return {
    ...(actorId !== undefined && { actor_id: actorId }),
    ...(knownKind && { kind: knownKind }),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
    ...(search.trim() && { search: search.trim() }),
  };
}

/** A page of the audit log. For admins. */
export const changesQuery = (id: number, state: TableState) => {
  const { page, per_page } = tableQuery(state);
  return apiQuery(schoolCalls.listAuditLog, { params: { id }, query: { page, per_page, ...changesInput(state) } });
};

export const changesPageQueries: FirstQueries = ({ schoolId, query }) => [
  changesQuery(schoolId, visitTableState(query, changesTable)),
];
