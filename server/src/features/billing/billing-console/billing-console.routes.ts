import { SCHOOL_STATES } from '#contract/calls/billing-console.ts';
import { defineHandlers } from '../../../http/pipeline.ts';
import { FileReply } from '../../../file-reply.ts';
import { listReportedInvoices } from '../invoices/invoices.public.ts';
import { addMonths } from '../../../clock.ts';
import { dayOf, startOfDay } from '../subscriptions/subscriptions.public.ts';
import { listByState, searchInvoices, sumByMonth } from './billing-console.queries.ts';
import { credit, markPaid, markUncollectible, savePackage, toBilledInvoice } from './billing-console.service.ts';
import { exportLedger } from './ledger.service.ts';
import { listSoldPackages } from './sold-packages.queries.ts';

const REVENUE_MONTHS = 24;

export const billingConsoleHandlers = defineHandlers({
  listSoldPackages: { handle: async ({ db, now }) => ({ packages: await listSoldPackages(db, dayOf(now)) }) },
  createPackage: { handle: async ({ db, body, now }) => ({ package: await savePackage(db, undefined, body, now) }) },
  updatePackage: {
    handle: async ({ db, params, body, now }) => ({ package: await savePackage(db, params.packageId, body, now) }),
  },
  listBilledInvoices: {
    handle: async ({ db, query, now, services: { config } }) => {
      const { rows, total, filtered, sum } = await searchInvoices(db, {
        status: query.status,
        schoolId: query.school_id,
        today: dayOf(now),
        page: query.page,
        perPage: query.per_page,
      });
      return {
        invoices: rows.map((row) => toBilledInvoice(row, { id: row.school_id, name: row.school_name }, config, now)),
        total: sum,
        meta: { total, total_filtered: filtered, page: query.page, per_page: query.per_page },
      };
    },
  },
  listReportedPayments: {
    handle: async ({ db, now, services: { config } }) => ({
      reports: (await listReportedInvoices(db)).map((row) => ({
        invoice: toBilledInvoice(row, { id: row.school_id, name: row.school_name }, config, now),
        reference: row.reference,
        reported_at: row.reported_at.toISOString(),
      })),
    }),
  },
  exportInvoices: {
    handle: async ({ db, query }) =>
      new FileReply('text/csv', `invoices-${query.from}-${query.to}.csv`, await exportLedger(db, query.from, query.to)),
  },
  markInvoicePaid: {
    handle: async ({ db, me, params, body, now, services: { config } }) => ({
      invoice: await markPaid(db, me, params.invoiceNumber, body, config, now),
    }),
  },
  markInvoiceUncollectible: {
    handle: async ({ db, me, params, body, now, services: { config } }) => ({
      invoice: await markUncollectible(db, me, params.invoiceNumber, body.reason, config, now),
    }),
  },
  creditInvoice: {
    handle: ({ db, me, params, body, now, services: { config } }) =>
      credit(db, me, params.invoiceNumber, body, config, now),
  },
  listRevenue: {
    handle: async ({ db, now }) => {
      const first = addMonths(`${dayOf(now).slice(0, 7)}-01`, 1 - REVENUE_MONTHS);
      return { months: await sumByMonth(db, startOfDay(first)) };
    },
  },
  listSchoolStates: {
    handle: async ({ db, query, now }) => {
      const { state, page, per_page } = query;
      const { counts, rows } = await listByState(db, state, now, dayOf(now), page, per_page);
      const all = SCHOOL_STATES.map((name) => [name, counts.get(name) ?? 0] as const);
      const total = all.reduce((sum, [, n]) => sum + n, 0);
      return {
        counts: Object.fromEntries(all) as Record<(typeof SCHOOL_STATES)[number], number>,
        schools: rows.map((row) => ({ ...row, expires_at: row.expires_at?.toISOString() ?? null })),
        meta: { total, total_filtered: counts.get(state) ?? 0, page, per_page },
      };
    },
  },
});
