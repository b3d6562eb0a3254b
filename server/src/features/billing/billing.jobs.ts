import { addDays } from '../../clock.ts';
import { inPlatform } from '../../database/platform.ts';
import { inSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import { enqueue, type Job } from '../../jobs/queue.ts';
import { sendMail } from '../../mail/mail.ts';
import { invoiceMail } from './billing.mail.ts';
import { renderInvoice } from './invoice-pdf.service.ts';
import { findInvoice, listBilledSchools, recordNotice } from './invoices.queries.ts';
import { INVOICE_MAIL_JOB } from './invoices.service.ts';
import { dayOf, endOfDay, startOfDay } from './period.service.ts';
import { MISSED_DAYS, sendReminders } from './reminders.service.ts';

const SCHOOL_REMINDERS_JOB = 'billing-reminders-of-school';
/** Schools put into the queue in one transaction: the embedded database's one connection serves requests in between. */
const AT_ONCE = 200;

/** Each morning: a job for each school of whose invoice or end something may have to be said. */
export const remindersJob = ({ database, clock }: Services): Job => ({
  name: 'billing-reminders',
  schedule: '30 7 * * *',
  run: async () => {
    const today = dayOf(clock.now());
    const from = startOfDay(addDays(today, -MISSED_DAYS - 1));
    const to = endOfDay(addDays(today, 60));
    let last: number | undefined = 0;
    while (last !== undefined) {
      const after: number = last;
      last = await inPlatform(database, async (db) => {
        const schools = await listBilledSchools(db, from, to, addDays(today, 7), after, AT_ONCE);
        for (const schoolId of schools) await enqueue(db, SCHOOL_REMINDERS_JOB, { schoolId });
        return schools.at(-1);
      });
    }
  },
});

/** The reminders of one school. */
export const schoolRemindersJob = ({ database, clock, config }: Services): Job<{ schoolId: number }> => ({
  name: SCHOOL_REMINDERS_JOB,
  run: ({ schoolId }) => inSchool(database, schoolId, (db) => sendReminders(db, config, clock.now())),
});

/** Sends an invoice with its PDF, which is drawn while no transaction is open; once, however often it runs. */
export const invoiceMailJob = ({
  database,
  clock,
  config,
}: Services): Job<{ schoolId: number; invoiceId: number }> => ({
  name: INVOICE_MAIL_JOB,
  run: async ({ schoolId, invoiceId }) => {
    const invoice = await inSchool(database, schoolId, (db) => findInvoice(db, { id: invoiceId }));
    if (!invoice) return;
    const pdf = await renderInvoice(invoice, undefined, config);
    await inSchool(database, schoolId, async (db) => {
      if (await recordNotice(db, `invoice:${invoice.id}`, 'issued', clock.now()))
        await sendMail(db, invoiceMail(invoice, pdf, config), clock.now());
    });
  },
});
