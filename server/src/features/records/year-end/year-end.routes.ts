import type { YearEnd } from '#contract/calls/year-end.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findStaffName } from '../../accounts/access/access.public.ts';
import { carryOut, findUndoable, UNDO_MS, undo } from './year-end.service.ts';

async function readYearEnd(db: SchoolDb, now: Date): Promise<YearEnd | null> {
  const row = await findUndoable(db, now);
  if (!row) return null;
  const name = await findStaffName(db, row.carried_out_by);
  return {
    id: row.id,
    carried_out_at: row.carried_out_at.toISOString(),
    carried_out_by: name === undefined ? null : { id: row.carried_out_by, name },
    undo_until: new Date(row.carried_out_at.getTime() + UNDO_MS).toISOString(),
    moved_classes: row.record.moved.length,
    left_pupils: row.record.left.reduce((sum, { pupils }) => sum + pupils.length, 0),
  };
}

export const yearEndHandlers = defineHandlers({
  getYearEnd: { handle: async ({ db, now }) => ({ year_end: await readYearEnd(db, now) }) },
  carryOutYearEnd: {
    handle: async ({ db, me, body, now }) => {
      await carryOut(db, me, body.classes, now);
      const yearEnd = await readYearEnd(db, now);
      if (!yearEnd) throw new AppError('not_found');
      return { year_end: yearEnd };
    },
  },
  undoYearEnd: {
    handle: async ({ db, me, params, now }) => {
      await undo(db, me, params.yearEndId, now);
      return {};
    },
  },
});
