import { defineFeature } from '../../../feature.ts';
import { invoiceMailJob } from './invoices.jobs.ts';
import { invoiceHandlers } from './invoices.routes.ts';
import { mailDeliveryHandlers } from './mail-deliveries.routes.ts';
import { remindersJob, schoolRemindersJob } from './reminders.jobs.ts';

export const invoicesFeature = defineFeature({
  handlers: { ...invoiceHandlers, ...mailDeliveryHandlers },
  jobs: (services) => [remindersJob(services), schoolRemindersJob(services), invoiceMailJob(services)],
});
