import type { BodyOf } from '#contract/call.ts';
import type { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { addDays } from '../../../clock.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { AppError, fieldError } from '../../../errors.ts';
import { findBillingContact, findOpenInvoice, type InvoiceRow, issueInvoice } from '../invoices/invoices.public.ts';
import {
  assertSchoolNotClosed,
  countActivePupils,
  dayOf,
  endOfDay,
  findSubscription,
  getSubscription,
  insertSubscription,
  startOfDay,
  type SubscriptionRow,
} from '../subscriptions/subscriptions.public.ts';
import { hasSchool } from './purchases.queries.ts';
import { yearlyPrice } from './proration.service.ts';
import { packageLine } from './quotes.service.ts';

/**
 * Grants a school a custom package from today, in place of its current one. Issues an invoice unless it is free.
 * Throws `school_not_found`, `invoice_unpaid`, or an error that names the invalid field.
 */
export async function grantCustomPackage(
  db: PlatformDb,
  me: Actor,
  schoolId: number,
  body: BodyOf<typeof billingConsoleCalls.grantCustomPackage>,
  config: Config,
  now: Date,
): Promise<{ subscription: SubscriptionRow; invoice: InvoiceRow | undefined }> {
  const today = dayOf(now);
  if (body.ends_on <= today || body.ends_on > addDays(today, 366 * 5))
    throw fieldError('ends_on', 'Give a day after today, within five years.');
  if (!(await hasSchool(db, schoolId))) throw new AppError('school_not_found');
  return withSchool(db, schoolId, async (schoolDb) => {
    const school = await lockSchool(schoolDb);
    await assertSchoolNotClosed(schoolDb);
    if (await findOpenInvoice(schoolDb)) throw new AppError('invoice_unpaid');
    const pupils = await countActivePupils(schoolDb);
    if (body.max_readers < UNLIMITED_READERS && pupils > body.max_readers)
      throw fieldError('max_readers', `The school has ${pupils} pupils. Give at least as many places.`);
    const contact = await findBillingContact(schoolDb);
    const replaced = await findSubscription(schoolDb);
    if (body.price > 0 && !contact?.email)
      throw fieldError('price', 'The school has no billing contact to send the invoice to. Ask it to add one.');
    const period = { from: today, to: body.ends_on };
    const subscription = {
      package_id: null,
      title: body.title,
      is_trial: false,
      max_readers: body.max_readers,
      payment_provider: 'manual',
      payment_amount_pence: body.price,
      price_per_year_pence: yearlyPrice(body.price, period),
      next_period: null,
      starts_at: startOfDay(today),
      expires_at: endOfDay(body.ends_on),
      replaces_id: replaced?.id ?? null,
    };
    const subscriptionId = await insertSubscription(schoolDb, subscription, now);
    await recordChange(schoolDb, me, now, {
      action: 'custom_package_given',
      subjectKind: 'subscription',
      subjectId: subscriptionId,
      details: { package: body.title, until: body.ends_on },
    });
    let invoice: InvoiceRow | undefined;
    if (body.price > 0 && contact) {
      const lines = [packageLine(body, 'custom', body.price, contact, config, today)];
      const purchase = { subscriptionId, lines, period, contact, poNumber: null };
      invoice = await issueInvoice(schoolDb, me, school, purchase, config, now);
    }
    return { subscription: await getSubscription(schoolDb, subscriptionId), invoice };
  });
}
