import type { AuditAction, AuditDetails } from '#contract/audit-details.ts';
import type { Contact, ContactInput } from '#contract/calls/contacts.ts';
import type { Invoice } from '#contract/calls/billing.ts';
import type { School } from '#contract/calls/school.ts';
import { countryName } from '#contract/countries.ts';
import { amountOfLine, totalOf } from '#contract/money.ts';
import type { DueYearly } from '#contract/quote.ts';
import { dueDateOf, lockDayOf } from '#contract/working-days.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { newToken } from '../../../auth/tokens.ts';
import type { Config } from '../../../config.ts';
import { emailKey } from '../../accounts/access/access.public.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { enqueue } from '../../../jobs/queue.ts';
import { findBillingContact, findNation, saveContact } from './contacts.queries.ts';
import {
  type CreditNoteRow,
  findOpenInvoice,
  insertCreditNote,
  insertInvoice,
  type InvoiceRow,
  updateInvoiceStatus,
} from './invoices.queries.ts';
import { dayOf, type Period, restorePurchase, revertPurchase } from '../subscriptions/subscriptions.public.ts';

export const INVOICE_MAIL_JOB = 'invoice-mail';

/** A line of a purchase. Amounts in pence without VAT, rates in hundredths of a percent. */
export interface PurchaseLine {
  description: string;
  detail: string;
  quantity: number;
  unit_price_pence: number;
  vat_rate: number;
}

/** What was purchased, by whom, and the first and last day covered. */
interface Purchase {
  subscriptionId: number;
  lines: readonly PurchaseLine[];
  period: Period;
  /** What a year after the period costs. Absent for custom packages. */
  dueYearly?: DueYearly;
  contact: Contact | Omit<Contact, 'id'>;
  poNumber: string | null;
}

/** Records a change of an invoice, with its number, in the school's audit log. */
export const recordInvoiceChange = <A extends AuditAction>(
  db: SchoolDb,
  me: Actor,
  now: Date,
  { id, number }: Pick<InvoiceRow, 'id' | 'number'>,
  action: A,
  details: AuditDetails<A>,
): Promise<void> =>
  recordChange(db, me, now, { action, subjectKind: 'invoice', subjectId: id, details: { ...details, number } });

/** Issues an invoice and enqueues its email to the billing contact. See `writeInvoice`. */
export async function issueInvoice(
  db: SchoolDb,
  me: Actor,
  school: { name: string },
  purchase: Purchase,
  config: Config,
  now: Date,
): Promise<InvoiceRow> {
  const invoice = await writeInvoice(db, me, school, purchase, config, now);
  if (invoice.content.email) await enqueue(db, INVOICE_MAIL_JOB, { schoolId: db.schoolId, invoiceId: invoice.id });
  return invoice;
}

/**
 * Saves a contact of the school. If invoices go to another address from now on, that address also gets the open invoice,
 * because the reminders are about it.
 */
export async function changeContact(db: SchoolDb, contact: ContactInput): Promise<void> {
  const before = await findBillingContact(db);
  await saveContact(db, contact);
  const email = (await findBillingContact(db))?.email;
  const invoice = await findOpenInvoice(db);
  if (!email || !invoice) return;
  const known = [before?.email, invoice.content.email].filter((address) => typeof address === 'string').map(emailKey);
  if (!known.includes(emailKey(email)))
    await enqueue(db, INVOICE_MAIL_JOB, { schoolId: db.schoolId, invoiceId: invoice.id, isForNewContact: true });
}

/** Writes an invoice. One for nothing is paid at once. A second open one of the school violates a unique index. */
export async function writeInvoice(
  db: SchoolDb,
  me: Actor,
  school: { name: string },
  purchase: Purchase,
  config: Config,
  now: Date,
): Promise<InvoiceRow> {
  const { contact, lines } = purchase;
  const today = dayOf(now);
  const { net, vat, total } = totalOf(lines);
  const isFree = total === 0;
  const nation = await findNation(db);
  const dueDate = dueDateOf(today, nation);
  const invoice = await insertInvoice(db, {
    subscription_id: purchase.subscriptionId,
    issued_at: now,
    due_date: dueDate,
    locks_on: lockDayOf(dueDate, nation),
    status: isFree ? 'paid' : 'open',
    paid_at: isFree ? now : null,
    closed_at: null,
    currency: 'gbp',
    subtotal_pence: net,
    vat_pence: vat,
    total_pence: total,
    po_number: purchase.poNumber,
    token: newToken(),
    content: {
      seller: {
        name: config.seller.name,
        address: config.seller.address,
        vat_number: config.seller.vatNumber ?? null,
        email: config.contactEmail,
      },
      school: school.name,
      bill_to: addressOf(contact),
      email: contact.email ?? '',
      country_code: contact.country_code,
      lines: lines.map(({ description, ...line }) => ({ text: description, ...line, amount: amountOfLine(line) })),
      period: purchase.period,
      ...(purchase.dueYearly && { due_yearly: purchase.dueYearly }),
      vat_rate: lines[0]?.vat_rate ?? 0,
      bank_account: config.seller.bankAccount ?? null,
      is_tagged: true,
    },
  });
  await recordInvoiceChange(db, me, now, invoice, 'invoice_issued', { total: invoice.total_pence });
  return invoice;
}

const addressOf = (contact: Omit<Contact, 'id'>): string[] =>
  [
    contact.contact_name,
    contact.address_line_1,
    contact.address_line_2,
    contact.address_line_3,
    contact.address_line_4,
    contact.postcode,
    contact.country_code === 'GBR' ? null : countryName(contact.country_code),
  ].filter((line): line is string => Boolean(line));

/** How an invoice was paid, for the audit log. */
interface Payment {
  paidAt: Date;
  by: 'bank_transfer' | 'card';
  reference?: string | undefined;
}

/** Settles an open or uncollectible invoice. Throws `invoice_closed`. */
export async function settleInvoice(
  db: SchoolDb,
  me: Actor,
  invoice: InvoiceRow,
  { paidAt, by, reference }: Payment,
  now: Date,
): Promise<InvoiceRow> {
  if (invoice.status !== 'open' && invoice.status !== 'uncollectible') throw new AppError('invoice_closed');
  if (invoice.status === 'uncollectible') await restorePurchase(db, invoice.subscription_id, now);
  await recordInvoiceChange(db, me, now, invoice, 'invoice_paid', { by, ...(reference ? { reference } : {}) });
  return updateInvoiceStatus(db, invoice.id, { status: 'paid', paid_at: paidAt, closed_at: null });
}

/** Marks an open invoice as uncollectible and reverts its purchase. Throws `invoice_closed`. */
export async function markInvoiceUncollectible(
  db: SchoolDb,
  me: Actor,
  invoice: InvoiceRow,
  reason: string,
  now: Date,
): Promise<InvoiceRow> {
  if (invoice.status !== 'open') throw new AppError('invoice_closed');
  await revertPurchase(db, invoice.subscription_id, now);
  await recordInvoiceChange(db, me, now, invoice, 'invoice_uncollectible', { reason });
  return updateInvoiceStatus(db, invoice.id, { status: 'uncollectible', closed_at: now });
}

/** Issues a credit note for the whole of an invoice. Throws `invoice_closed` or `subscription_superseded`. */
export async function creditInvoice(
  db: SchoolDb,
  me: Actor,
  invoice: InvoiceRow,
  { reason, endsSubscription }: { reason: string; endsSubscription: boolean },
  now: Date,
): Promise<{ invoice: InvoiceRow; creditNote: CreditNoteRow }> {
  if (invoice.status === 'credited') throw new AppError('invoice_closed');
  const isReverted = invoice.status === 'uncollectible';
  if (endsSubscription && !isReverted && !(await revertPurchase(db, invoice.subscription_id, now)))
    throw new AppError('subscription_superseded');
  const credited = await updateInvoiceStatus(db, invoice.id, { status: 'credited', closed_at: now });
  const creditNote = await insertCreditNote(db, invoice.id, reason, now);
  await recordInvoiceChange(db, me, now, invoice, 'invoice_credited', { credit_note: creditNote.number, reason });
  return { invoice: credited, creditNote };
}

/** True for an open invoice whose due date has passed in London. */
export const isOverdue = ({ status, due_date }: Pick<InvoiceRow, 'status' | 'due_date'>, now: Date): boolean =>
  status === 'open' && due_date < dayOf(now);

/** True for an open invoice that locks the school. */
export const isOutstanding = ({ status, locks_on }: Pick<InvoiceRow, 'status' | 'locks_on'>, now: Date): boolean =>
  status === 'open' && locks_on <= dayOf(now);

/** The fields of an invoice that the API returns to everyone who may see it. */
export const toInvoiceFields = (row: InvoiceRow) => ({
  number: row.number,
  issued_at: row.issued_at.toISOString(),
  due_date: row.due_date,
  status: row.status,
  subtotal: row.subtotal_pence,
  vat: row.vat_pence,
  total: row.total_pence,
});

/** An invoice as the API returns it to the school. Its URLs work without a login. */
export const toInvoice = (row: InvoiceRow, publicUrl: string): Invoice => ({
  id: row.id,
  ...toInvoiceFields(row),
  locks_on: row.locks_on,
  currency: row.currency,
  po_number: row.po_number,
  invoice_pdf: `${publicUrl}/v1/invoices/${row.token}.pdf`,
  hosted_invoice_url: `${publicUrl}/invoices/${row.token}`,
});

/** Invoices as the API returns them to the school, with the open one and the one that locks the school. */
export function toInvoices(rows: readonly InvoiceRow[], publicUrl: string, now: Date): NonNullable<School['invoices']> {
  const open = rows.find(({ status }) => status === 'open');
  const openInvoice = open ? toInvoice(open, publicUrl) : null;
  const outstanding = open && isOutstanding(open, now) ? openInvoice : null;
  return {
    data: rows.map((row) => toInvoice(row, publicUrl)),
    meta: {
      has_open_invoice: openInvoice !== null,
      has_outstanding_invoice: outstanding !== null,
      open_invoice: openInvoice,
      outstanding_invoice: outstanding,
    },
  };
}
