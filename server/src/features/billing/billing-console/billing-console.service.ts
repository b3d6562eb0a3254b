import type { BodyOf } from '#contract/call.ts';
import type { BilledInvoice, billingConsoleCalls, SoldPackage } from '#contract/calls/billing-console.ts';
import type { Actor } from '../../../audit/audit-log.queries.ts';
import { addDays } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError, fieldError } from '../../../errors.ts';
import {
  creditInvoice,
  type InvoiceRow,
  isOverdue,
  markInvoiceUncollectible,
  settleInvoice,
  toInvoice,
  toInvoiceFields,
  withInvoice,
} from '../invoices/invoices.public.ts';
import { dayOf, startOfDay } from '../subscriptions/subscriptions.public.ts';
import { insertPackage, listSoldPackages, updatePackageRow } from './sold-packages.queries.ts';

type BodyFor<Name extends keyof typeof billingConsoleCalls> = BodyOf<(typeof billingConsoleCalls)[Name]>;

/** An invoice as the API returns it to an operator. */
export const toBilledInvoice = (
  row: InvoiceRow,
  school: { id: number; name: string },
  config: Config,
  now: Date,
): BilledInvoice => ({
  ...toInvoiceFields(row),
  school: { id: school.id, name: school.name },
  is_overdue: isOverdue(row, now),
  paid_on: row.paid_at ? dayOf(row.paid_at) : null,
  hosted_invoice_url: toInvoice(row, config.publicUrl).hosted_invoice_url,
});

/** Adds a package to the offer, or changes one. Throws `package_not_found`. */
export async function savePackage(
  db: PlatformDb,
  id: number | undefined,
  { price, ...offer }: BodyFor<'createPackage'>,
  now: Date,
): Promise<SoldPackage> {
  const row = { ...offer, price_pence: price };
  const savedId = id ?? (await insertPackage(db, row));
  if (id !== undefined && !(await updatePackageRow(db, id, row))) throw new AppError('package_not_found');
  const saved = (await listSoldPackages(db, dayOf(now))).find((offered) => offered.id === savedId);
  if (!saved) throw new AppError('package_not_found');
  return saved;
}

/** Records a payment by bank transfer. Throws `invoice_not_found`, `invoice_closed`. */
export const markPaid = (
  db: PlatformDb,
  me: Actor,
  number: string,
  { paid_on, reference }: BodyFor<'markInvoicePaid'>,
  config: Config,
  now: Date,
): Promise<BilledInvoice> =>
  withInvoice(db, number, async (schoolDb, invoice, school) => {
    if (paid_on !== undefined && (paid_on > dayOf(now) || paid_on < addDays(dayOf(invoice.issued_at), -1)))
      throw fieldError('paid_on', 'Give a day from the date of issue to today.');
    const paidAt = paid_on === undefined || paid_on === dayOf(now) ? now : startOfDay(paid_on);
    const paid = await settleInvoice(schoolDb, me, invoice, { paidAt, by: 'bank_transfer', reference }, now);
    return toBilledInvoice(paid, school, config, now);
  });

/** Marks an invoice as uncollectible and reverts its purchase. Throws `invoice_not_found`, `invoice_closed`. */
export const markUncollectible = (
  db: PlatformDb,
  me: Actor,
  number: string,
  reason: string,
  config: Config,
  now: Date,
): Promise<BilledInvoice> =>
  withInvoice(db, number, async (schoolDb, invoice, school) =>
    toBilledInvoice(await markInvoiceUncollectible(schoolDb, me, invoice, reason, now), school, config, now),
  );

/** Issues a credit note for an invoice. Throws `invoice_not_found`, `invoice_closed`. */
export const credit = (
  db: PlatformDb,
  me: Actor,
  number: string,
  { reason, ends_subscription }: BodyFor<'creditInvoice'>,
  config: Config,
  now: Date,
): Promise<{ invoice: BilledInvoice; credit_note_number: string }> =>
  withInvoice(db, number, async (schoolDb, invoice, school) => {
    const { invoice: credited, creditNote } = await creditInvoice(
      schoolDb,
      me,
      invoice,
      { reason, endsSubscription: ends_subscription },
      now,
    );
    return { invoice: toBilledInvoice(credited, school, config, now), credit_note_number: creditNote.number };
  });
