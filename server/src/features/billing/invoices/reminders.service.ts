import { UNLIMITED_READERS } from '#contract/limits.ts';
import { NO_ACTOR, recordChange } from '../../../audit/audit-log.queries.ts';
import { emailKey, listStaffAllowed } from '../../accounts/access/access.public.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { sendMail } from '../../../mail/mail.ts';
import { type Mail, NO_PEOPLE, type PeopleOfMail } from '../../../mail/outbox.queries.ts';
import {
  countActivePupils,
  dayOf,
  daysBetween,
  findSubscription,
  isSchoolClosed,
  type SubscriptionRow,
} from '../subscriptions/subscriptions.public.ts';
import { findBillingContact } from './contacts.queries.ts';
import { findOpenInvoice, type InvoiceRow } from './invoices.queries.ts';
import { recordInvoiceChange } from './invoices.service.ts';
import { endReminderMail, type InvoiceStage, invoiceReminderMail, placesReminderMail } from './reminders.mail.ts';
import { recordNotice } from './reminders.queries.ts';

/** The days, counted from the due date, on which a reminder of an unpaid invoice is sent. */
const listInvoiceStages = ({ due_date, locks_on }: InvoiceRow): [stage: InvoiceStage, fromDay: number][] => {
  const lockDay = daysBetween(due_date, locks_on);
  return [
    ['due_soon', -7],
    ['due_today', 0],
    ['locked', lockDay],
    ['overdue', lockDay + 6],
  ];
};
/** The days, counted from the last day, on which a reminder of the end is sent. A trial is too short for the first two. */
const END_STAGES = [-60, -30, -7, 0, 1] as const;
const TRIAL_STAGES = [-7, 0, 1] as const;
/** The days, counted from the first day of a smaller package, on which a reminder of missing places is sent. */
const PLACES_STAGES = [
  ['places-30', -30],
  ['places-7', -7],
] as const;
/** A reminder that is later than this is not sent, for example after the server was down. */
export const MAX_LATE_DAYS = 14;

/** The latest stage that is due and not too late. `stages` are in ascending order. */
const latestStage = <Stage extends readonly [unknown, number]>(
  stages: readonly Stage[],
  day: number,
): Stage | undefined => stages.findLast(([, fromDay]) => fromDay <= day && day - fromDay <= MAX_LATE_DAYS);

/** Sends the reminders due today, each once. */
export async function sendReminders(db: SchoolDb, config: Config, now: Date): Promise<void> {
  const invoice = await findOpenInvoice(db);
  if (invoice) await sendInvoiceReminder(db, invoice, config, now);
  // What is owed stays owed; a closed school needs no other reminder.
  if (await isSchoolClosed(db)) return;
  const subscription = await findSubscription(db);
  if (subscription) await sendEndReminder(db, subscription, config, now);
  if (subscription) await sendPlacesReminder(db, subscription, config, now);
}

async function mailBuyers(db: SchoolDb, buildMail: (email: string) => Mail, now: Date): Promise<void> {
  for (const { id, email } of await listStaffAllowed(db, 'manage_subscription'))
    await sendMail(db, buildMail(email), { users: [id] }, now);
}

/** Warns the admins of a smaller package that starts soon and has fewer places than the school has pupils. */
async function sendPlacesReminder(
  db: SchoolDb,
  { next_period: next }: SubscriptionRow,
  config: Config,
  now: Date,
): Promise<void> {
  if (!next || next.max_readers >= UNLIMITED_READERS) return;
  const daysLeft = daysBetween(dayOf(now), next.from);
  const [stage] = latestStage(PLACES_STAGES, -daysLeft) ?? [];
  if (!stage || daysLeft <= 0) return;
  const pupils = await countActivePupils(db);
  if (pupils <= next.max_readers || !(await recordNotice(db, `places:${next.from}`, stage, now))) return;
  await mailBuyers(db, (email) => placesReminderMail(next, pupils, daysLeft, email, config), now);
}

interface Debtor {
  email: string;
  people: PeopleOfMail;
}

/** Who is reminded of an unpaid invoice: the current billing contact and those who can pay, each address once. */
async function listDebtors(db: SchoolDb): Promise<Debtor[]> {
  const contact = await findBillingContact(db);
  const managers = await listStaffAllowed(db, 'manage_subscription');
  const debtors = new Map<string, Debtor>();
  if (contact?.email) debtors.set(emailKey(contact.email), { email: contact.email, people: NO_PEOPLE });
  for (const { id, email } of managers) debtors.set(emailKey(email), { email, people: { users: [id] } });
  return [...debtors.values()];
}

async function sendInvoiceReminder(db: SchoolDb, invoice: InvoiceRow, config: Config, now: Date): Promise<void> {
  const [stage] = latestStage(listInvoiceStages(invoice), daysBetween(invoice.due_date, dayOf(now))) ?? [];
  if (!stage || !(await recordNotice(db, `invoice:${invoice.id}`, stage, now))) return;
  if (stage === 'locked') await recordInvoiceChange(db, NO_ACTOR, now, invoice, 'school_locked', {});
  for (const { email, people } of await listDebtors(db))
    await sendMail(db, invoiceReminderMail(stage, invoice, email, config), people, now);
}

async function sendEndReminder(db: SchoolDb, subscription: SubscriptionRow, config: Config, now: Date): Promise<void> {
  const last = dayOf(subscription.expires_at);
  const length = daysBetween(dayOf(subscription.starts_at), last);
  const days = (subscription.is_trial ? TRIAL_STAGES : END_STAGES)
    // No reminder on the day on which a short subscription starts.
    .filter((fromDay) => -fromDay < length)
    .map((fromDay) => [`end${fromDay}`, fromDay] as const);
  const [stage, fromDay] = latestStage(days, daysBetween(last, dayOf(now))) ?? [];
  if (!stage || fromDay === undefined || (fromDay <= 0 && subscription.expires_at <= now)) return;
  // Recorded by the last day: an upgrade keeps that day and sends no second reminder.
  if (!(await recordNotice(db, `end:${last}`, stage, now))) return;
  if (fromDay > 0)
    await recordChange(db, NO_ACTOR, now, {
      action: 'subscription_ended',
      subjectKind: 'subscription',
      subjectId: subscription.id,
      details: { package: subscription.title },
    });
  const daysLeft = daysBetween(dayOf(now), last);
  await mailBuyers(db, (email) => endReminderMail(subscription, daysLeft, email, config), now);
}
