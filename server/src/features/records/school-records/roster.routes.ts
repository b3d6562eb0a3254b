import type { RosterRun } from '#contract/calls/roster.ts';
import { findStaffAccounts } from '../../accounts/access/access.public.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { findRun, listRuns, listSources, type RunRow } from './roster.queries.ts';
import { proposeChecked, readForAdmin } from './roster-check.service.ts';
import { findConnection } from './roster-connection.queries.ts';
import {
  changeConnection,
  getConnection,
  removeConnection,
  storeConnection,
  testConnection,
  toConnection,
} from './roster-connection.service.ts';
import { readRosterFile } from './roster-file.service.ts';
import {
  applyRun,
  isOpen,
  prepareApply,
  proposeRun,
  readPlan,
  rejectRun,
  removeSource,
} from './roster-runs.service.ts';
import { findUndoDeadline, undoRun } from './roster-undo.service.ts';

async function toRuns(db: SchoolDb, rows: readonly RunRow[], now: Date): Promise<RosterRun[]> {
  const accounts = await findStaffAccounts(
    db,
    rows.flatMap(({ created_by, decided_by }) => [created_by, decided_by]),
  );
  const toPerson = (id: number | null) => {
    const account = accounts.get(id ?? 0);
    return account ? { id: account.id, name: `${account.first_name} ${account.last_name}` } : null;
  };
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    origin: row.origin as RosterRun['origin'],
    state: row.state === 'proposed' && !isOpen(row, now) ? 'expired' : row.state,
    created_at: row.created_at.toISOString(),
    created_by: toPerson(row.created_by),
    decided_at: row.decided_at?.toISOString() ?? null,
    decided_by: toPerson(row.decided_by),
    is_automatic: row.origin === 'nightly' && row.decided_at !== null && row.decided_by === null,
    counts: row.counts as RosterRun['counts'],
    undo_until: findUndoDeadline(row, now)?.toISOString() ?? null,
  }));
}

async function getShownRun(db: SchoolDb, runId: number, now: Date): Promise<RosterRun> {
  const row = await findRun(db, runId);
  const [run] = row ? await toRuns(db, [row], now) : [];
  if (!run) throw new AppError('not_found');
  return run;
}

export const rosterHandlers = defineHandlers({
  listRosterRuns: {
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
  proposeRoster: withPrepare({
    prepare: ({ upload, body: { xml }, me, services: { config }, now }) => {
      const content = upload?.content ?? (xml === undefined ? undefined : Buffer.from(xml));
      if (!content) throw fieldError('records_file', 'Choose a file.');
      return readRosterFile(content, me.schoolId, config, now);
    },
    handle: async ({ db, me, prepared: { kind, roster }, now }) => ({
      run_id: await proposeRun(db, { kind, origin: 'file', by: me.userId }, roster, now),
    }),
  }),
  getRosterRun: {
    handle: async ({ db, params: { runId }, now }) => {
      const run = await getShownRun(db, runId, now);
      if (run.state !== 'proposed') return { run, plan: null, version: null, notes: [] };
      return { run, ...(await readPlan(db, runId, now)) };
    },
  },
  applyRosterRun: withPrepare({
    prepare: ({ me, params, body, read, now, services: { config } }) =>
      prepareApply(read, me, params.runId, body, { now, config }),
    handle: async ({ db, me, params: { runId }, body, prepared, now, services: { config } }) => {
      const { links, failedInvites } = await applyRun(db, me, runId, body, prepared, { now, config });
      return { run: await getShownRun(db, runId, now), links, failed_invites: failedInvites };
    },
  }),
  rejectRosterRun: {
    handle: async ({ db, me, params, now }) => {
      await rejectRun(db, me, params.runId, now);
      return {};
    },
  },
  undoRosterRun: {
    handle: async ({ db, me, params: { runId }, now }) => {
      const stayed = await undoRun(db, me, runId, now);
      return { run: await getShownRun(db, runId, now), stayed };
    },
  },
  removeRosterSource: {
    handle: async ({ db, me, params, now }) => {
      await removeSource(db, me, params.sourceId, now);
      return {};
    },
  },
  saveRosterConnection: {
    handle: async ({ db, me, body, now, services: { config } }) => ({
      connection: await storeConnection(db, me, body, { config, now }),
    }),
  },
  setRosterConnection: {
    handle: async ({ db, me, body, now }) => ({ connection: await changeConnection(db, me, body, now) }),
  },
  testRosterConnection: withPrepare({
    prepare: ({ write, now, services: { config } }) => testConnection(write, { config, now }),
    handle: ({ prepared }) => Promise.resolve(prepared),
  }),
  checkRosterConnection: withPrepare({
    prepare: ({ write, now, services: { config } }) => readForAdmin(write, { config, now }),
    handle: async ({ db, me, prepared, now }) => ({
      run_id: await proposeChecked(db, me, prepared, now),
      connection: await getConnection(db),
    }),
  }),
  removeRosterConnection: {
    handle: async ({ db, me, now }) => {
      await removeConnection(db, me, now);
      return {};
    },
  },
});
