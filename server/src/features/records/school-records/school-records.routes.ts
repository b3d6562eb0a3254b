import { fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { getShownRun } from '../runs/runs.public.ts';
import { listSources } from './school-records.queries.ts';
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
import { discardRun, planRun, readPlan, removeSource } from './runs.service.ts';

export const schoolRecordsHandlers = defineHandlers({
  getSchoolRecords: {
    handle: async ({ db }) => {
      const sources = await listSources(db);
      const connection = await findConnection(db);
      return {
        connection: connection ? toConnection(connection) : null,
        sources: sources.map((source) => ({ ...source, created_at: source.created_at.toISOString() })),
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
    handle: async ({ db, me, params: { runId }, now }) => {
      const run = await getShownRun(db, runId, now);
      if (run.state !== 'planned') return { run, plan: null, version: null, notes: [] };
      return { run, ...(await readPlan(db, me, runId, now)) };
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
