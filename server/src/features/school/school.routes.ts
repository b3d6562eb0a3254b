import { listChanges } from '../../audit/audit-log.queries.ts';
import { assertAreaOpen } from '../../http/authenticate.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { describeSchool } from './school.service.ts';

export const schoolHandlers = defineHandlers({
  getSchool: {
    handle: async ({ db, me, query, now, services }) => {
      if (query.include.includes('readers')) assertAreaOpen('teaching', me);
      return { enterprise: await describeSchool(db, me, now, services.config, query.include) };
    },
  },
  listAuditLog: {
    handle: async ({ db, query }) => {
      const { entries, total } = await listChanges(db, query.page, query.per_page);
      return { entries, meta: { total, total_filtered: total, page: query.page, per_page: query.per_page } };
    },
  },
});
