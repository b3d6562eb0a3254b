import type { BodyOf } from '#contract/call.ts';
import type { BilledInvoice, billingConsoleCalls, SoldPackage } from '#contract/calls/billing-console.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { addDays } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { PlatformDb } from '../../database/platform.ts';
import { withSchool } from '../../database/school.ts';
import { AppError, fieldError } from '../../http/errors.ts';
import { writeCsv } from '../../spreadsheets/csv.ts';
import { findBillingContact } from './contacts.queries.ts';
import { type LedgerRow, listLedger } from './console.queries.ts';
import { withInvoice } from './hosted-invoices.service.ts';
import { hasOpenInvoice, type InvoiceRow } from './invoices.queries.ts';
import {
  type Actor,
  creditInvoice,
  giveUpInvoice,
  isOverdue,
  issueInvoice,
  settleInvoice,
  toInvoice,
} from './invoices.service.ts';
import { insertPackage, listSoldPackages, updatePackageRow } from './packages.queries.ts';
import { dayOf, endOfDay, startOfDay } from './period.service.ts';
import {
  endSubscription,
  hasSchool,
  insertSubscription,
  lockSchoolForBilling,
  type SubscriptionRow,
} from './subscriptions.queries.ts';

type BodyFor<Name extends keyof typeof billingConsoleCalls> = BodyOf<(typeof billingConsoleCalls)[Name]>;

/** An invoice as an operator sees it. */
export const toBilledInvoice = (
  row: InvoiceRow,
  school: { id: number; name: string },
  config: Config,
  now: Date,
): BilledInvoice => ({
  number: row.number,
  school: { id: school.id, name: school.name },
  issued_at: row.issued_at.toISOString(),
  due_date: row.due_date,
  is_overdue: isOverdue(row, now),
  status: row.status,
  subtotal: row.subtotal_pence,
  vat: row.vat_pence,
  total: row.total_pence,
  paid_on: row.paid_at ? dayOf(row.paid_at) : null,
  hosted_invoice_url: toInvoice(row, config.publicUrl).hosted_invoice_url,
});

/** Adds a package to the offer, or changes one. Throws `package_not_found`. */
export async function savePackage(
  db: PlatformDb,
  id: number | undefined,
  { price, ...offer }: BodyFor<'createPackage'>,
): Promise<SoldPackage> {
  const row = { ...offer, price_pence: price };
  const savedId = id ?? (await insertPackage(db, row));
  if (id !== undefined && !(await updatePackageRow(db, id, row))) throw new AppError('package_not_found');
  const saved = (await listSoldPackages(db)).find((one) => one.id === savedId);
  if (!saved) throw new AppError('package_not_found');
  return saved;
}

/** Notes a payment by bank transfer. Throws `invoice_not_found`, `invoice_closed`. */
export const markPaid = (
  db: PlatformDb,
  me: Actor,
  number: string,
  { paid_on, reference }: BodyFor<'markInvoicePaid'>,
  config: Config,
  now: Date,
): Promise<BilledInvoice> =>
  withInvoice(db, number, async (own, invoice, school) => {
    if (paid_on !== undefined && (paid_on > dayOf(now) || paid_on < addDays(dayOf(invoice.issued_at), -1)))
      throw fieldError('paid_on', 'Give a day from the date of issue to today.');
    const paidAt = paid_on === undefined || paid_on === dayOf(now) ? now : startOfDay(paid_on);
    const paid = await settleInvoice(own, me, invoice, { paidAt, by: 'bank_transfer', reference }, now);
    return toBilledInvoice(paid, school, config, now);
  });

/** Gives an invoice up, and what was bought with it. Throws `invoice_not_found`, `invoice_closed`. */
export const markUncollectible = (
  db: PlatformDb,
  me: Actor,
  number: string,
  reason: string,
  config: Config,
  now: Date,
): Promise<BilledInvoice> =>
  withInvoice(db, number, async (own, invoice, school) =>
    toBilledInvoice(await giveUpInvoice(own, me, invoice, reason, now), school, config, now),
  );

/** Issues a credit note over an invoice. Throws `invoice_not_found`, `invoice_closed`. */
export const credit = (
  db: PlatformDb,
  me: Actor,
  number: string,
  { reason, ends_subscription }: BodyFor<'creditInvoice'>,
  config: Config,
  now: Date,
): Promise<{ invoice: BilledInvoice; credit_note_number: string }> =>
  withInvoice(db, number, async (own, invoice, school) => {
    const { invoice: credited, creditNote } = await creditInvoice(
      own,
      me,
      invoice,
      { reason, endsSubscription: ends_subscription },
      now,
    );
    return { invoice: toBilledInvoice(credited, school, config, now), credit_note_number: creditNote.number };
  });

/**
 * Gives a school a package of its own from today on, in the place of its present one; with an invoice where it costs
 * something. Throws `school_not_found`, `invoice_unpaid`, or says which field is wrong.
 */
export async function giveCustomPackage(
  db: PlatformDb,
  me: Actor,
  schoolId: number,
  body: BodyFor<'giveCustomPackage'>,
  config: Config,
  now: Date,
): Promise<{ subscription: SubscriptionRow; invoice: InvoiceRow | undefined }> {
  const today = dayOf(now);
  if (body.ends_on <= today || body.ends_on > addDays(today, 366 * 5))
    throw fieldError('ends_on', 'Give a day after today, within five years.');
  if (!(await hasSchool(db, schoolId))) throw new AppError('school_not_found');
  return withSchool(db, schoolId, async (own) => {
    const school = await lockSchoolForBilling(own);
    if (await hasOpenInvoice(own)) throw new AppError('invoice_unpaid');
    const contact = await findBillingContact(own);
    if (body.price > 0 && !contact?.email)
      throw fieldError('price', 'The school has no billing contact to send the invoice to. Ask it to add one.');
    await endSubscription(own, now);
    const subscription = await insertSubscription(own, {
      package_id: null,
      title: body.title,
      is_trial: false,
      max_readers: body.max_readers,
      payment_provider: 'manual',
      payment_provider_subscription_id: null,
      payment_amount_pence: body.price,
      renewal_status: body.price > 0 ? 'awaiting_payment' : null,
      starts_at: startOfDay(today),
      expires_at: endOfDay(body.ends_on),
      ended_at: null,
      replaces_id: null,
    });
    await recordChange(own, me, now, {
      action: 'custom_package_given',
      subjectKind: 'subscription',
      subjectId: subscription.id,
      details: { package: body.title, until: body.ends_on },
    });
    if (body.price === 0 || !contact) return { subscription, invoice: undefined };
    const period = { from: today, to: body.ends_on };
    const sale = { subscription, kind: 'custom' as const, price: body.price, period, contact, poNumber: null };
    return { subscription, invoice: await issueInvoice(own, me, school, sale, config, now) };
  });
}

const LEDGER_HEADERS = [
  'Type',
  'Number',
  'Date',
  'School id',
  'School',
  'Country',
  'Purchase order',
  'Net',
  'VAT rate %',
  'VAT',
  'Total',
  'Due',
  'Status',
  'Paid on',
  'Credits invoice',
];

/** Pounds, as a number: a spreadsheet adds them up. */
const pounds = (pence: number): number => pence / 100;

/** Longest time that one table covers, in days. */
const LONGEST_LEDGER = 732;

/** Invoices and credit notes from one day to another, both included, as a table for the accountant. */
export async function exportLedger(db: PlatformDb, from: string, to: string): Promise<string> {
  if (to < from || to > addDays(from, LONGEST_LEDGER))
    throw fieldError('to', 'Give a last day after the first, at most two years later.');
  const { invoices, credits } = await listLedger(db, startOfDay(from), startOfDay(addDays(to, 1)));
  const line = (row: InvoiceRow & { school_name: string }, note?: LedgerRow): (string | number)[] => {
    const sign = note ? -1 : 1;
    return [
      note ? 'Credit note' : 'Invoice',
      note?.credit_number ?? row.number,
      dayOf(note?.credited_at ?? row.issued_at),
      row.school_id,
      row.school_name,
      row.content.country_code,
      row.po_number ?? '',
      pounds(sign * row.subtotal_pence),
      row.content.vat_rate / 100,
      pounds(sign * row.vat_pence),
      pounds(sign * row.total_pence),
      note ? '' : row.due_date,
      note ? '' : row.status,
      !note && row.paid_at ? dayOf(row.paid_at) : '',
      note ? row.number : '',
    ];
  };
  return writeCsv([LEDGER_HEADERS, ...invoices.map((row) => line(row)), ...credits.map((row) => line(row, row))]);
}
