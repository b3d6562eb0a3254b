import type { BodyOf } from '#contract/call.ts';
import type { billingCalls, PackageRefusal } from '#contract/calls/billing.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import type { Config } from '../../../config.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { type InvoiceRow, issueInvoice, saveContact } from '../invoices/invoices.public.ts';
import {
  assertSchoolNotClosed,
  currentPeriod,
  dayOf,
  endOfDay,
  insertSubscription,
  type Period,
  startOfDay,
  type SubscriptionRow,
} from '../subscriptions/subscriptions.public.ts';
import { findCustomer, findOfferedPackage, type PackageRow } from './purchases.queries.ts';
import { evaluatePackageChoice } from './packages.service.ts';
import { isLarger } from './proration.service.ts';
import { packageLine, quotePrice } from './quotes.service.ts';

/*
 * Purchasing a package: a contract and an invoice that never changes. What can go wrong:
 *
 * - Two admins purchase at the same moment, or one presses twice. The school's row is locked first, so purchases, payments
 *   and changes to the number of pupils run one after the other. A unique index allows one open invoice, and while it
 *   is open nothing else can be purchased.
 * - The price is not the one on the screen. Everything is computed again here: the kind of purchase, the days of
 *   London, the rate of VAT by the billing contact's country. The request states the total on the screen
 *   (`expected_total`); any other total is rejected with the new quote, and nothing is stored.
 * - A day is charged twice or never. Amounts are integers in pence, prices are compared per year, and an invoice
 *   rounds once. An extension starts the day after the last one; an upgrade pays the difference for the days that are
 *   left.
 * - Pupils lose their places. A package needs a place for each active pupil, and today's places remain until the
 *   period of an extension starts (`next_period`).
 * - The invoice is not paid, or paid late. The purchase adds a subscription and changes none: reverting it makes the
 *   replaced one current again (`subscriptions/reversal.service.ts`).
 * - The numbers of invoices have gaps. The counter is locked last and in this transaction; a rollback returns its
 *   number.
 * - The caller has no right to purchase. An operator who impersonates an admin cannot enter into a contract, and a
 *   closed school purchases nothing.
 */

const ACTIONS = {
  new: 'subscription_bought',
  upgrade: 'subscription_upgraded',
  extension: 'subscription_extended',
} as const;

/**
 * Purchases a package and issues its invoice: a new year, an upgrade for the rest of the subscription, or an extension.
 * Throws `package_not_found`, `downgrade`, `invoice_unpaid`, `already_subscribed`, `too_many_pupils` or `price_changed`.
 */
export async function purchasePackage(
  db: SchoolDb,
  me: Actor,
  body: BodyOf<typeof billingCalls.subscribe>,
  config: Config,
  now: Date,
): Promise<InvoiceRow> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  const school = await lockSchool(db);
  await assertSchoolNotClosed(db);
  const offer = await findOfferedPackage(db, body.package_id);
  if (!offer || offer.is_trial) throw new AppError('package_not_found');
  const customer = await findCustomer(db);
  const choice = evaluatePackageChoice(offer, customer, now);
  if (choice.kind === 'rejected') throw rejection(choice.rejection, offer, customer.activePupils);
  if (choice.kind === 'trial') throw new AppError('package_not_found');
  const { period } = choice;
  const contact = { ...body.contact, type: 'billing' as const };
  const line = packageLine(offer, choice.kind, choice.price, contact, config, dayOf(now));
  const quote = quotePrice(offer, choice, line.vat_rate);
  if (body.expected_total !== undefined && body.expected_total !== quote.total)
    throw new AppError('price_changed', { quote });
  await saveContact(db, contact);
  const { subscription: replaced } = customer;
  const subscription = {
    ...coverageAfter(choice.kind, offer, period, replaced, now),
    is_trial: false,
    payment_provider: 'invoice',
    replaces_id: choice.kind === 'new' ? null : (replaced?.id ?? null),
  };
  const subscriptionId = await insertSubscription(db, subscription, now);
  await recordChange(db, me, now, {
    action: ACTIONS[choice.kind],
    subjectKind: 'subscription',
    subjectId: subscriptionId,
    details: { package: offer.title, until: dayOf(subscription.expires_at) },
  });
  const purchase = {
    subscriptionId,
    lines: [line],
    period,
    dueYearly: quote.due_yearly,
    contact,
    poNumber: body.po_number,
  };
  return issueInvoice(db, me, school, purchase, config, now);
}

/** The error for a package that cannot be chosen. */
const rejection = (kind: PackageRefusal, offer: PackageRow, activePupils: number): AppError =>
  kind === 'too_many_pupils'
    ? new AppError(kind, {
        text: `You have ${activePupils} pupils. This package has ${offer.max_readers} places. Choose a larger one or archive pupils.`,
        pupils: activePupils,
      })
    : new AppError(kind);

/** The columns of the new subscription: what it covers now, and in the period that an extension adds. */
function coverageAfter(
  kind: 'new' | 'upgrade' | 'extension',
  offer: PackageRow,
  period: Period,
  replaced: SubscriptionRow | undefined,
  now: Date,
) {
  const purchased = {
    package_id: offer.id,
    title: offer.title,
    max_readers: offer.max_readers,
    price_per_year_pence: offer.price_pence,
  };
  if (kind === 'new' || !replaced)
    return {
      ...purchased,
      payment_amount_pence: offer.price_pence,
      starts_at: startOfDay(period.from),
      expires_at: endOfDay(period.to),
      next_period: null,
    };
  const { from, to: _, ...current } = currentPeriod(replaced, now);
  const starts_at = startOfDay(from);
  if (kind === 'extension')
    return {
      ...current,
      // The yearly price, also where the current period is an earlier extension or a custom package of several years.
      payment_amount_pence: current.price_per_year_pence,
      starts_at,
      expires_at: endOfDay(period.to),
      next_period: { ...period, ...purchased },
    };
  const next = replaced.next_period && dayOf(now) < replaced.next_period.from ? replaced.next_period : null;
  return {
    ...purchased,
    payment_amount_pence: offer.price_pence,
    starts_at,
    expires_at: replaced.expires_at,
    next_period: next && isLarger(purchased, next) ? { ...next, ...purchased } : next,
  };
}
