import { type Run, runCalls } from '#contract/calls/runs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { yearEndCalls } from '#contract/calls/year-end.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { type TableDefaults, type TableState, tableQuery } from '../../../ui/table-url-state.ts';

/** Runs have one order. */
export const runsTable: TableDefaults = { sorts: [] };

/** A page of the runs that the user can see, of one kind or all. */
export const runsQuery = (id: number, state: TableState, kind?: Run['kind']) => {
  const { page, per_page } = tableQuery(state);
  return apiQuery(runCalls.listRuns, { params: { id }, query: { page, per_page, ...(kind && { kind }) } });
};

/** A run, and what undoing it would do now. */
export const runQuery = (id: number, runId: number) => apiQuery(runCalls.getRun, { params: { id, runId } });

/** Undoes a run. Pupils and classes appear everywhere. */
export const useUndoRun = (id: number) =>
  useInvalidatingMutation((runId: number) => call(runCalls.undoRun, { params: { id, runId } }), {
    awaits: [runCalls.getRun, schoolRecordsCalls.getSchoolRecordsRun, yearEndCalls.getYearEnd, schoolCalls.getSchool],
  });
