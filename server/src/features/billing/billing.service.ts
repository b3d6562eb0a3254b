import type { BodyOf } from '#contract/call.ts';
import type { billingCalls, Subscription } from '#contract/calls/billing.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { addDays } from '../../clock.ts';
import type { Config } from '../../config.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import { saveContact } from './contacts.queries.ts';
import type { InvoiceRow } from './invoices.queries.ts';
import { type Actor, issueInvoice } from './invoices.service.ts';
import { findOfferedPackage, listOfferedPackages } from './packages.queries.ts';
import { EXTENDABLE_DAYS, findCustomer, judgeChoice } from './packages.service.ts';
import { dayOf, daysBetween, endOfDay, startOfDay } from './period.service.ts';
import {
  endSubscription,
  insertSubscription,
  lockSchoolForBilling,
  type SubscriptionRow,
} from './subscriptions.queries.ts';

/** Days that a trial runs after the one on which it begins. */
const TRIAL_DAYS = 30;

const ACTIONS = {
  new: 'subscription_bought',
  upgrade: 'subscription_upgraded',
  extension: 'subscription_extended',
} as const;

/** `max_readers` of packages without a bound. */
const UNLIMITED = 999;

/**
 * Begins the free trial. Throws `package_not_found`, or `trial_unavailable` for a school that has had a subscription.
 * @param packageId of a trial; the one on offer when it is left out
 */
export async function startTrial(
  db: SchoolDb,
  me: Actor,
  packageId: number | undefined,
  now: Date,
): Promise<SubscriptionRow> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  await lockSchoolForBilling(db);
  const offers = await listOfferedPackages(db);
  const trial = offers.find(({ id, is_trial }) => is_trial && (packageId === undefined || id === packageId));
  if (!trial) throw new AppError('package_not_found');
  const choice = judgeChoice(trial, await findCustomer(db), now);
  if (choice.refusal) throw new AppError(choice.refusal);
  const subscription = await insertSubscription(db, {
    package_id: trial.id,
    title: trial.title,
    is_trial: true,
    max_readers: trial.max_readers,
    payment_provider: null,
    payment_provider_subscription_id: null,
    payment_amount_pence: 0,
    renewal_status: null,
    starts_at: startOfDay(dayOf(now)),
    expires_at: endOfDay(addDays(dayOf(now), TRIAL_DAYS)),
    ended_at: null,
    replaces_id: null,
  });
  await recordChange(db, me, now, {
    action: 'trial_started',
    subjectKind: 'subscription',
    subjectId: subscription.id,
    details: { package: trial.title },
  });
  return subscription;
}

/**
 * Buys a package: a new year, an upgrade for the rest of the present one, or an extension by one. Makes its invoice.
 * Throws `package_not_found`, `downgrade`, `invoice_unpaid` or `already_subscribed`.
 */
export async function subscribe(
  db: SchoolDb,
  me: Actor,
  body: BodyOf<typeof billingCalls.subscribe>,
  config: Config,
  now: Date,
): Promise<InvoiceRow> {
  // A contract is the school's own to make.
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  const school = await lockSchoolForBilling(db);
  const offer = await findOfferedPackage(db, body.package_id);
  if (!offer || offer.is_trial) throw new AppError('package_not_found');
  const customer = await findCustomer(db);
  const choice = judgeChoice(offer, customer, now);
  if (choice.kind === 'refused') throw new AppError(choice.refusal);
  if (choice.kind === 'trial') throw new AppError('package_not_found');
  const contact = { ...body.contact, type: 'billing' as const };
  await saveContact(db, contact);
  const { subscription: present } = customer;
  await endSubscription(db, now);
  const isUpgrade = choice.kind === 'upgrade';
  const subscription = await insertSubscription(db, {
    package_id: offer.id,
    title: offer.title,
    is_trial: false,
    max_readers: offer.max_readers,
    payment_provider: 'invoice',
    payment_provider_subscription_id: null,
    payment_amount_pence: offer.price_pence,
    renewal_status: choice.price > 0 ? 'awaiting_payment' : null,
    starts_at: isUpgrade && present ? present.starts_at : startOfDay(choice.period.from),
    expires_at: isUpgrade && present ? present.expires_at : endOfDay(choice.period.to),
    ended_at: null,
    replaces_id: choice.kind === 'new' ? null : (present?.id ?? null),
  });
  await recordChange(db, me, now, {
    action: ACTIONS[choice.kind],
    subjectKind: 'subscription',
    subjectId: subscription.id,
    details: { package: offer.title, until: dayOf(subscription.expires_at) },
  });
  return issueInvoice(
    db,
    me,
    school,
    {
      subscription,
      kind: choice.kind,
      price: choice.price,
      period: choice.period,
      contact,
      poNumber: body.po_number,
    },
    config,
    now,
  );
}

/** A subscription as the wire shows it. */
export function toSubscription(row: SubscriptionRow, now: Date): Subscription {
  const days = Math.max(0, daysBetween(dayOf(now), dayOf(row.expires_at)));
  return {
    id: row.id,
    title: row.title,
    package_id: row.package_id,
    is_trial: row.is_trial,
    has_expired: row.expires_at <= now,
    expires_at: row.expires_at.toISOString(),
    billing_period_end: row.expires_at.toISOString(),
    payment_provider: row.payment_provider,
    payment_provider_subscription_id: row.payment_provider_subscription_id,
    payment_amount: row.payment_amount_pence,
    renewal_duration_unit: row.renewal_duration_unit,
    renewal_status: row.renewal_status,
    max_readers: row.max_readers,
    meta: { is_nearing_end: days <= EXTENDABLE_DAYS, num_of_days_before_end: days },
  };
}

/** How many pupils a school may have: null for no bound, none without a subscription that runs. */
export function capacityOf(
  row: Pick<SubscriptionRow, 'max_readers' | 'expires_at'> | undefined,
  now: Date,
): number | null {
  if (!row || row.expires_at <= now) return 0;
  return row.max_readers >= UNLIMITED ? null : row.max_readers;
}
