import { runCalls } from '#contract/calls/runs.ts';
import { type SchoolRecordsAnswers, schoolRecordsCalls } from '#contract/calls/school-records.ts';
import type {
  SchoolRecordsConnectionSettings,
  schoolRecordsConnectionBody,
} from '#contract/school-records-connection.ts';
import type { z } from 'zod';
import { schoolCalls } from '#contract/calls/school.ts';
import { call } from '../../../shared/api-client.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { parseId } from '../../../shared/parse-id.ts';
import { useInvalidatingMutation } from '../../../shared/use-invalidating-mutation.ts';
import { visitTableState } from '../../../ui/table-url-state.ts';
import { runQuery, runsQuery, runsTable } from '../runs/run-queries.public.ts';

/** The connection and the sources of school records. For admins. */
export const recordsQuery = (id: number) => apiQuery(schoolRecordsCalls.getSchoolRecords, { params: { id } });

/** A run of school records and what it would change. For admins. */
export const planQuery = (id: number, runId: number) =>
  apiQuery(schoolRecordsCalls.getSchoolRecordsRun, { params: { id, runId } });

export const recordsPageQueries: FirstQueries = ({ schoolId, query }) => [
  recordsQuery(schoolId),
  runsQuery(schoolId, visitTableState(query, runsTable)),
];

export const runPageQueries: FirstQueries = ({ schoolId, params }) => {
  const runId = parseId(params.runId);
  return runId === undefined ? [] : [planQuery(schoolId, runId), runQuery(schoolId, runId)];
};

/** Reads a file and plans what it would change. `school`: the ID of the chosen one, or empty to be asked again. */
export const usePlanSchoolRecords = (id: number) =>
  useInvalidatingMutation(
    ({ file, school }: { file: File; school: string | undefined }) => {
      const form = new FormData();
      if (school !== undefined) form.append('school', school);
      form.append('records_file', file);
      return call(schoolRecordsCalls.planSchoolRecords, { params: { id }, body: form });
    },
    { renews: [runCalls.listRuns] },
  );

/** Applies a plan, in full or not at all. Pupils and classes appear everywhere. */
export const useApplyRun = (id: number, runId: number) =>
  useInvalidatingMutation(
    ({ idempotencyKey, ...body }: SchoolRecordsAnswers & { idempotencyKey: string }) =>
      call(schoolRecordsCalls.applySchoolRecordsRun, { params: { id, runId }, body, idempotencyKey }),
    { awaits: [schoolRecordsCalls.getSchoolRecordsRun, runCalls.getRun] },
  );

export const useDiscardRun = (id: number, runId: number) =>
  useInvalidatingMutation(() => call(schoolRecordsCalls.discardSchoolRecordsRun, { params: { id, runId } }), {
    awaits: [schoolRecordsCalls.getSchoolRecordsRun],
    renews: [runCalls.listRuns],
  });

/** Forgets a source. */
export const useRemoveSource = (id: number) =>
  useInvalidatingMutation(
    (sourceId: number) => call(schoolRecordsCalls.removeSchoolRecordsSource, { params: { id, sourceId } }),
    {
      awaits: [schoolRecordsCalls.getSchoolRecords],
      renews: [schoolCalls.listAuditLog, schoolRecordsCalls.getSchoolRecordsRun, runCalls.listRuns],
    },
  );

const CONNECTION = { awaits: [schoolRecordsCalls.getSchoolRecords], renews: [schoolCalls.listAuditLog] };

export const useSaveConnection = (id: number) =>
  useInvalidatingMutation(
    (body: z.infer<typeof schoolRecordsConnectionBody>) =>
      call(schoolRecordsCalls.saveSchoolRecordsConnection, { params: { id }, body }),
    CONNECTION,
  );

/** Changes the choices of the connection, or pauses it. */
export const useSetConnection = (id: number) =>
  useInvalidatingMutation(
    (body: SchoolRecordsConnectionSettings) =>
      call(schoolRecordsCalls.setSchoolRecordsConnection, { params: { id }, body }),
    CONNECTION,
  );

export const useTestConnection = (id: number) =>
  useInvalidatingMutation(() => call(schoolRecordsCalls.testSchoolRecordsConnection, { params: { id } }), {
    renews: [],
  });

/** Reads the school's server now. */
export const useCheckConnection = (id: number) =>
  useInvalidatingMutation(() => call(schoolRecordsCalls.checkSchoolRecordsConnection, { params: { id } }), {
    renews: [schoolRecordsCalls.getSchoolRecords, runCalls.listRuns],
  });

export const useRemoveConnection = (id: number) =>
  useInvalidatingMutation(() => call(schoolRecordsCalls.removeSchoolRecordsConnection, { params: { id } }), CONNECTION);
