import { defineHandlers } from '../../../http/pipeline.ts';
import { listPaymentReports, reportPayment } from './payment-reports.service.ts';

export const paymentReportHandlers = defineHandlers({
  listPaymentReports: {
    handle: async ({ db }) => ({ reports: await listPaymentReports(db) }),
  },
  reportPayment: {
    handle: async ({ db, me, body, now, services: { config } }) => ({
      report: await reportPayment(db, me, body, config, now),
    }),
  },
});
