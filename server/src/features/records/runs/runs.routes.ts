import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { readChanges } from './run-changes.queries.ts';
import { findVisibleRun, listVisibleRuns } from './runs.queries.ts';
import { getShownRun, toRun, toRuns } from './runs.service.ts';
import { previewUndo, undoRun } from './undo.service.ts';

export const runHandlers = defineHandlers({
  listRuns: {
    handle: async ({ db, me, query: { kind, page, per_page: perPage }, now }) => {
      const { runs, total } = await listVisibleRuns(db, me, { kind, page, perPage });
      return {
        runs: await toRuns(db, runs, now),
        meta: { total, total_filtered: total, page, per_page: perPage },
      };
    },
  },
  getRun: {
    handle: async ({ db, me, params: { runId }, now }) => {
      const row = await findVisibleRun(db, me, runId);
      if (!row) throw new AppError('not_found');
      const run = await toRun(db, row, now);
      return {
        run,
        changes: run.undo_until === null ? null : await readChanges(db, row),
        undo: await previewUndo(db, me, row, now),
      };
    },
  },
  undoRun: {
    handle: async ({ db, me, params: { runId }, now }) => {
      const skipped = await undoRun(db, me, runId, now);
      return { run: await getShownRun(db, runId, now), skipped };
    },
  },
});
