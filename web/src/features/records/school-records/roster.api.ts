import {
  type RosterConnectionSettings,
  type RosterDecisions,
  rosterCalls,
  type rosterConnectionBody,
} from '#contract/calls/roster.ts';
import type { z } from 'zod';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { type TableDefaults, type TableState, tableQuery, visitTableState } from '../../../ui/table-url-state.ts';

/** Files have one order. */
export const runsTable: TableDefaults = { sorts: [] };

/** The sources of records and a page of what was done with their files. For admins. */
export const runsQuery = (id: number, state: TableState) => {
  const { page, per_page } = tableQuery(state);
  return apiQuery(rosterCalls.listRosterRuns, { params: { id }, query: { page, per_page } });
};

/** A file and what it would change. For admins. */
export const runQuery = (id: number, runId: number) => apiQuery(rosterCalls.getRosterRun, { params: { id, runId } });

export const recordsPageQueries: FirstQueries = ({ schoolId, query }) => [
  runsQuery(schoolId, visitTableState(query, runsTable)),
];

export const runPageQueries: FirstQueries = ({ schoolId, params }) => {
  const runId = parseId(params.runId);
  return runId === undefined ? [] : [runQuery(schoolId, runId)];
};

/** Reads a file and proposes what it would change. */
export const useProposeRoster = (id: number) =>
  useInvalidatingMutation(
    (file: File) => {
      const form = new FormData();
      form.append('records_file', file);
      return call(rosterCalls.proposeRoster, { params: { id }, body: form });
    },
    { renews: [rosterCalls.listRosterRuns] },
  );

/** Carries out a plan, in full or not at all. Pupils and classes appear everywhere. */
export const useApplyRun = (id: number, runId: number) =>
  useInvalidatingMutation(
    ({ idempotencyKey, ...body }: RosterDecisions & { idempotencyKey: string }) =>
      call(rosterCalls.applyRosterRun, { params: { id, runId }, body, idempotencyKey }),
    { awaits: [rosterCalls.getRosterRun] },
  );

export const useRejectRun = (id: number, runId: number) =>
  useInvalidatingMutation(() => call(rosterCalls.rejectRosterRun, { params: { id, runId } }), {
    awaits: [rosterCalls.getRosterRun],
    renews: [rosterCalls.listRosterRuns],
  });

/** Undoes a run. Pupils and classes appear everywhere. */
export const useUndoRun = (id: number, runId: number) =>
  useInvalidatingMutation(() => call(rosterCalls.undoRosterRun, { params: { id, runId } }), {
    awaits: [rosterCalls.getRosterRun],
  });

/** Forgets a source. */
export const useRemoveSource = (id: number) =>
  useInvalidatingMutation((sourceId: number) => call(rosterCalls.removeRosterSource, { params: { id, sourceId } }), {
    awaits: [rosterCalls.listRosterRuns],
    renews: [schoolCalls.listAuditLog, rosterCalls.getRosterRun],
  });

const CONNECTION = { awaits: [rosterCalls.listRosterRuns], renews: [schoolCalls.listAuditLog] };

export const useSaveConnection = (id: number) =>
  useInvalidatingMutation(
    (body: z.infer<typeof rosterConnectionBody>) => call(rosterCalls.saveRosterConnection, { params: { id }, body }),
    CONNECTION,
  );

/** Changes the choices of the connection, or pauses it. */
export const useSetConnection = (id: number) =>
  useInvalidatingMutation(
    (body: RosterConnectionSettings) => call(rosterCalls.setRosterConnection, { params: { id }, body }),
    CONNECTION,
  );

export const useTestConnection = (id: number) =>
  useInvalidatingMutation(() => call(rosterCalls.testRosterConnection, { params: { id } }), { renews: [] });

/** Reads the school's server now. */
export const useCheckConnection = (id: number) =>
  useInvalidatingMutation(() => call(rosterCalls.checkRosterConnection, { params: { id } }), {
    renews: [rosterCalls.listRosterRuns],
  });

export const useRemoveConnection = (id: number) =>
  useInvalidatingMutation(() => call(rosterCalls.removeRosterConnection, { params: { id } }), CONNECTION);
