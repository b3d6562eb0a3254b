import type { YearEnd } from '#contract/calls/year-end.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { findYearEnd, getShownRun } from '../runs/runs.public.ts';
import { readYearEndRecords } from '../school-records/school-records.public.ts';
import { applyYearEnd } from './year-end.service.ts';

async function readYearEnd(db: SchoolDb, now: Date): Promise<YearEnd | null> {
  const row = await findYearEnd(db, now);
  if (!row) return null;
  const { id, created_at: appliedAt, created_by: appliedBy, undo_until, counts } = await getShownRun(db, row.id, now);
  return {
    id,
    applied_at: appliedAt,
    applied_by: appliedBy,
    undo_until: undo_until ?? '',
    moved_classes: counts?.classes ?? 0,
    left_pupils: counts?.leavers ?? 0,
  };
}

export const yearEndHandlers = defineHandlers({
  getYearEnd: {
    handle: async ({ db, now }) => {
      const yearEnd = await readYearEnd(db, now);
      const records = await readYearEndRecords(db, yearEnd ? new Date(yearEnd.applied_at) : undefined, now);
      return { year_end: yearEnd, records };
    },
  },
  applyYearEnd: {
    handle: async ({ db, me, body, now }) => {
      await applyYearEnd(db, me, body.classes, now);
      const yearEnd = await readYearEnd(db, now);
      if (!yearEnd) throw new AppError('not_found');
      return { year_end: yearEnd };
    },
  },
});
