import { recordChange } from '../../../audit/audit-log.queries.ts';
import type { TableName } from '../../../database/table-kinds.ts';
import { shortenableRule, TABLES, titleOf, toNights } from '../registry/registry.public.ts';
import { AppError } from '../../../errors.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { listRuns, setPeriod } from './retention.queries.ts';

export const retentionHandlers = defineHandlers({
  setRetentionPeriod: {
    handle: async ({ db, me, body: { table, days }, now }) => {
      const rule = table in TABLES ? shortenableRule(table as TableName) : undefined;
      if (!rule) throw new AppError('validation', { fields: { table: ['Choose data whose period can be changed.'] } });
      if (days !== null && !rule.choices?.includes(days))
        throw new AppError('validation', { fields: { days: ['Choose one of the periods.'] } });
      await setPeriod(db, table as TableName, days);
      await recordChange(db, me, now, {
        action: 'retention_period_changed',
        subjectKind: 'school',
        subjectId: db.schoolId,
        details: { data: titleOf(table as TableName), days },
      });
      return {};
    },
  },
  listRetentionRuns: {
    handle: async ({ db, query: { page, per_page } }) => {
      const { rows, total } = await listRuns(db, { limit: per_page, offset: (page - 1) * per_page });
      return { nights: toNights(rows), meta: { total, total_filtered: total, page, per_page } };
    },
  },
});
