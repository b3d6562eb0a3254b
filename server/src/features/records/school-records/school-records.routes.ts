import type { SchoolRecordsRun } from '#contract/calls/school-records.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { findRun, listRuns, listSources, type RunRow } from './school-records.queries.ts';
import { findChosenSchool, saveChosenSchool } from './sources.queries.ts';
import { planCheckedRecords, readForAdmin } from './check.service.ts';
import { findConnection } from './connection.queries.ts';
import {
  changeConnection,
  getConnection,
  removeConnection,
  storeConnection,
  testConnection,
  toConnection,
} from './connection.service.ts';
import { readSchoolRecordsFile } from './file.service.ts';
import { applyRun, prepareApply } from './apply.service.ts';
import { discardRun, isOpen, planRun, readPlan, removeSource } from './runs.service.ts';
import { findUndoDeadline, undoRun } from './undo.service.ts';

async function toRuns(db: SchoolDb, rows: readonly RunRow[], now: Date): Promise<SchoolRecordsRun[]> {
  const accounts = await findStaffAccounts(
    db,
    rows.flatMap(({ created_by, closed_by }) => [created_by, closed_by]),
  );
  const toPerson = (id: number | null) => {
    const account = accounts.get(id ?? 0);
    return account ? { id: account.id, name: `${account.first_name} ${account.last_name}` } : null;
  };
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    origin: row.origin as SchoolRecordsRun['origin'],
    state: row.state === 'planned' && !isOpen(row, now) ? 'expired' : row.state,
    created_at: row.created_at.toISOString(),
    created_by: toPerson(row.created_by),
    closed_at: row.closed_at?.toISOString() ?? null,
    closed_by: toPerson(row.closed_by),
    is_automatic: row.origin === 'nightly' && row.closed_at !== null && row.closed_by === null,
    counts: row.counts as SchoolRecordsRun['counts'],
    undo_until: findUndoDeadline(row, now)?.toISOString() ?? null,
  }));
}

async function getShownRun(db: SchoolDb, runId: number, now: Date): Promise<SchoolRecordsRun> {
  const row = await findRun(db, runId);
  const [run] = row ? await toRuns(db, [row], now) : [];
  if (!run) throw new AppError('not_found');
  return run;
}

export const schoolRecordsHandlers = defineHandlers({
  listSchoolRecordsRuns: {
    handle: async ({ db, query: { page, per_page: perPage }, now }) => {
      const { runs, total } = await listRuns(db, { page, perPage });
      const sources = await listSources(db);
      const connection = await findConnection(db);
      return {
        connection: connection ? toConnection(connection) : null,
        sources: sources.map((source) => ({ ...source, created_at: source.created_at.toISOString() })),
        runs: await toRuns(db, runs, now),
        meta: { total, total_filtered: total, page, per_page: perPage },
      };
    },
  },
  planSchoolRecords: withPrepare({
    prepare: async ({ upload, body: { xml, school: given }, me, read, services: { config }, now }) => {
      const content = upload?.content ?? (xml === undefined ? undefined : Buffer.from(xml));
      if (!content) throw fieldError('records_file', 'Choose a file.');
      const school = given === undefined ? await read(findChosenSchool) : given || null;
      return readSchoolRecordsFile({ content, school }, me.schoolId, config, now);
    },
    handle: async ({ db, me, body, prepared: { schools, read }, now }) => {
      if (!read) return { run_id: null, schools };
      const runId = await planRun(db, { kind: read.kind, origin: 'file', by: me.userId }, read.records, now);
      const chosen = schools.find(({ source_id: id }) => id === body.school);
      if (chosen) await saveChosenSchool(db, { source_id: chosen.source_id, name: chosen.name });
      return { run_id: runId, schools };
    },
  }),
  getSchoolRecordsRun: {
    handle: async ({ db, params: { runId }, now }) => {
      const run = await getShownRun(db, runId, now);
      if (run.state !== 'planned') return { run, plan: null, version: null, notes: [] };
      return { run, ...(await readPlan(db, runId, now)) };
    },
  },
  applySchoolRecordsRun: withPrepare({
    prepare: ({ me, params, body, read, now, services: { config } }) =>
      prepareApply(read, me, params.runId, body, { now, config }),
    handle: async ({ db, me, params: { runId }, body, prepared, now, services: { config } }) => {
      const { links, failedInvites } = await applyRun(db, me, runId, body, prepared, { now, config });
      return { run: await getShownRun(db, runId, now), links, failed_invites: failedInvites };
    },
  }),
  discardSchoolRecordsRun: {
    handle: async ({ db, me, params, now }) => {
      await discardRun(db, me, params.runId, now);
      return {};
    },
  },
  undoSchoolRecordsRun: {
    handle: async ({ db, me, params: { runId }, now }) => {
      const skipped = await undoRun(db, me, runId, now);
      return { run: await getShownRun(db, runId, now), skipped };
    },
  },
  removeSchoolRecordsSource: {
    handle: async ({ db, me, params, now }) => {
      await removeSource(db, me, params.sourceId, now);
      return {};
    },
  },
  saveSchoolRecordsConnection: {
    handle: async ({ db, me, body, now, services: { config } }) => ({
      connection: await storeConnection(db, me, body, { config, now }),
    }),
  },
  setSchoolRecordsConnection: {
    handle: async ({ db, me, body, now }) => ({ connection: await changeConnection(db, me, body, now) }),
  },
  testSchoolRecordsConnection: withPrepare({
    prepare: ({ write, now, services: { config } }) => testConnection(write, { config, now }),
    handle: ({ prepared }) => Promise.resolve(prepared),
  }),
  checkSchoolRecordsConnection: withPrepare({
    prepare: ({ write, now, services: { config } }) => readForAdmin(write, { config, now }),
    handle: async ({ db, me, prepared, now }) => ({
      run_id: await planCheckedRecords(db, me, prepared, now),
      connection: await getConnection(db),
    }),
  }),
  removeSchoolRecordsConnection: {
    handle: async ({ db, me, now }) => {
      await removeConnection(db, me, now);
      return {};
    },
  },
});
