import { listChanges } from '../../../audit/audit-log.queries.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { describeSchool } from './school.service.ts';

export const schoolHandlers = defineHandlers({
  getSchool: {
    handle: async ({ db, me, query, now, services }) => {
      const school = await describeSchool(db, me, now, services.config, query.include);
      return { enterprise: school, meta: { omitted: query.include.filter((part) => !school[part]) } };
    },
  },
  listAuditLog: {
    handle: async ({ db, query }) => {
      const { page, per_page, ...filter } = query;
      const { entries, total, totalFiltered } = await listChanges(db, filter, { page, perPage: per_page });
      return { entries, meta: { total, total_filtered: totalFiltered, page, per_page } };
    },
  },
});
