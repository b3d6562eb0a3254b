import { recordChange } from '../../audit/audit-log.queries.ts';
import type { Config } from '../../config.ts';
import type { SchoolDb } from '../../database/school.ts';
import { sendMail } from '../../mail/mail.ts';
import { endReminderMail, type InvoiceStage, invoiceReminderMail } from './billing.mail.ts';
import { findOpenInvoice, type InvoiceRow, listAdminEmails, recordNotice } from './invoices.queries.ts';
import { dayOf, daysBetween } from './period.service.ts';
import { findSubscription, type SubscriptionRow } from './subscriptions.queries.ts';

/** Days after the due date on which something is said of an unpaid invoice. */
const INVOICE_STAGES: readonly [stage: InvoiceStage, fromDay: number][] = [
  ['due_soon', -7],
  ['due_today', 0],
  ['locked', 1],
  ['overdue', 7],
];
/** Days after the last one on which something is said of an end; a trial's is too near for the first two. */
const END_STAGES = [-60, -30, -7, 0, 1] as const;
const TRIAL_STAGES = [-7, 0, 1] as const;
/** What was missed for so long is not said any more: the server did not run, or the school came with its data. */
export const MISSED_DAYS = 14;

const NOBODY = { userId: null, impersonatorId: null };

/** The last stage that has come, of those in ascending order. */
const reached = <Stage extends readonly [unknown, number]>(stages: readonly Stage[], day: number): Stage | undefined =>
  stages.findLast(([, fromDay]) => fromDay <= day && day - fromDay <= MISSED_DAYS);

/** Sends what is due today of a school's unpaid invoice and of the end of its subscription; each once, however often it runs. */
export async function sendReminders(db: SchoolDb, config: Config, now: Date): Promise<void> {
  const invoice = await findOpenInvoice(db);
  if (invoice) await remindOfInvoice(db, invoice, config, now);
  const subscription = await findSubscription(db);
  if (subscription) await remindOfEnd(db, subscription, config, now);
}

async function remindOfInvoice(db: SchoolDb, invoice: InvoiceRow, config: Config, now: Date): Promise<void> {
  const [stage] = reached(INVOICE_STAGES, daysBetween(invoice.due_date, dayOf(now))) ?? [];
  if (!stage || !(await recordNotice(db, `invoice:${invoice.id}`, stage, now))) return;
  const isLocked = stage === 'locked';
  if (isLocked)
    await recordChange(db, NOBODY, now, {
      action: 'school_locked',
      subjectKind: 'invoice',
      subjectId: invoice.id,
      details: { number: invoice.number },
    });
  // Whoever pays hears of it each time; those who are locked out hear why.
  const recipients = new Set([invoice.content.email, ...(isLocked ? await listAdminEmails(db) : [])].filter(Boolean));
  for (const recipient of recipients) await sendMail(db, invoiceReminderMail(stage, invoice, recipient, config), now);
}

async function remindOfEnd(db: SchoolDb, subscription: SubscriptionRow, config: Config, now: Date): Promise<void> {
  const last = dayOf(subscription.expires_at);
  const length = daysBetween(dayOf(subscription.starts_at), last);
  const days = (subscription.is_trial ? TRIAL_STAGES : END_STAGES)
    // A short one is not said to end on the day on which it begins.
    .filter((fromDay) => -fromDay < length)
    .map((fromDay) => [`end${fromDay}`, fromDay] as const);
  const [stage, fromDay] = reached(days, daysBetween(last, dayOf(now))) ?? [];
  if (!stage || fromDay === undefined || (fromDay <= 0 && subscription.expires_at <= now)) return;
  // By its last day: an upgrade, which keeps it, says nothing twice.
  if (!(await recordNotice(db, `end:${last}`, stage, now))) return;
  if (fromDay > 0)
    await recordChange(db, NOBODY, now, {
      action: 'subscription_ended',
      subjectKind: 'subscription',
      subjectId: subscription.id,
      details: { package: subscription.title },
    });
  const daysLeft = daysBetween(dayOf(now), last);
  for (const recipient of await listAdminEmails(db))
    await sendMail(db, endReminderMail(subscription, daysLeft, recipient, config), now);
}
