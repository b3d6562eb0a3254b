import type { YearEnd } from '#contract/calls/year-end.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findStaffName } from '../../accounts/access/access.public.ts';
import { applyYearEnd, findUndoable, UNDO_MS, undoYearEnd } from './year-end.service.ts';

async function readYearEnd(db: SchoolDb, now: Date): Promise<YearEnd | null> {
  const row = await findUndoable(db, now);
  if (!row) return null;
  const name = await findStaffName(db, row.applied_by);
  return {
    id: row.id,
    applied_at: row.applied_at.toISOString(),
    applied_by: name === undefined ? null : { id: row.applied_by, name },
    undo_until: new Date(row.applied_at.getTime() + UNDO_MS).toISOString(),
    moved_classes: row.record.moved.length,
    left_pupils: row.record.left.reduce((sum, { pupils }) => sum + pupils.length, 0),
  };
}

export const yearEndHandlers = defineHandlers({
  getYearEnd: { handle: async ({ db, now }) => ({ year_end: await readYearEnd(db, now) }) },
  applyYearEnd: {
    handle: async ({ db, me, body, now }) => {
      await applyYearEnd(db, me, body.classes, now);
      const yearEnd = await readYearEnd(db, now);
      if (!yearEnd) throw new AppError('not_found');
      return { year_end: yearEnd };
    },
  },
  undoYearEnd: {
    handle: async ({ db, me, params, now }) => {
      await undoYearEnd(db, me, params.yearEndId, now);
      return {};
    },
  },
});
