import { defineFeature } from '../../../feature.ts';
import { hostedInvoiceHandlers } from './hosted-invoices.routes.ts';
import { invoiceMailJob } from './invoices.jobs.ts';
import { paymentReportHandlers } from './payment-reports.routes.ts';
import { remindersJob, schoolRemindersJob } from './reminders.jobs.ts';

export const invoicesFeature = defineFeature({
  handlers: { ...paymentReportHandlers, ...hostedInvoiceHandlers },
  jobs: (services) => [remindersJob(services), schoolRemindersJob(services), invoiceMailJob(services)],
});
