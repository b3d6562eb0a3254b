import { roleAllows } from '#contract/permissions.ts';
import { defineHandlers } from '../../http/pipeline.ts';
import { toInvoice, toInvoicesMeta } from '../billing/billing.public.ts';
import { listPupilsWithClass } from '../pupils/pupils.public.ts';
import { listChanges } from '../../audit/audit-log.queries.ts';
import { listInvoices } from './school.queries.ts';
import { describeSchool } from './school.service.ts';

export const schoolHandlers = defineHandlers({
  getSchool: {
    handle: async ({ db, me, query, now, services }) => {
      const enterprise = await describeSchool(db, me, now, services.config);
      if (query.include.includes('readers')) enterprise.readers = await listPupilsWithClass(db);
      if (query.include.includes('invoices') && roleAllows(me.role, 'manage_subscription')) {
        const data = (await listInvoices(db)).map((row) => toInvoice(row, services.config.publicUrl));
        enterprise.invoices = { data, meta: toInvoicesMeta(data, now) };
      }
      return { enterprise };
    },
  },
  listAuditLog: {
    handle: async ({ db, query }) => {
      const { entries, total } = await listChanges(db, query.page, query.per_page);
      return { entries, meta: { total, total_filtered: total, page: query.page, per_page: query.per_page } };
    },
  },
});
