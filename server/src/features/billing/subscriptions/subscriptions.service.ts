import type { Subscription } from '#contract/calls/billing.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { addDays } from '../../../clock.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import { listOfferedPackages } from './packages.queries.ts';
import { findCustomer } from './customer.queries.ts';
import { EXTENDABLE_DAYS, evaluatePackageChoice } from './packages.service.ts';
import { dayOf, daysBetween, endOfDay, startOfDay } from './period.service.ts';
import { currentPeriod } from './proration.service.ts';
import { getSubscription, insertSubscription, type SubscriptionRow } from './subscriptions.queries.ts';

/** Length of a trial in days, its first day not counted. */
const TRIAL_DAYS = 30;

/**
 * Starts the free trial. Throws `package_not_found`, or `trial_unavailable` if the school has had a subscription.
 * @param packageId the id of a trial; without it, the trial on offer
 */
export async function startTrial(
  db: SchoolDb,
  me: Actor,
  packageId: number | undefined,
  now: Date,
): Promise<SubscriptionRow> {
  if (me.impersonatorId !== null) throw new AppError('not_while_impersonating');
  await lockSchool(db);
  const offers = await listOfferedPackages(db);
  const trial = offers.find(({ id, is_trial }) => is_trial && (packageId === undefined || id === packageId));
  if (!trial) throw new AppError('package_not_found');
  const choice = evaluatePackageChoice(trial, await findCustomer(db), now);
  if (choice.rejection) throw new AppError(choice.rejection);
  const subscription = {
    package_id: trial.id,
    title: trial.title,
    is_trial: true,
    max_readers: trial.max_readers,
    payment_provider: null,
    payment_amount_pence: 0,
    price_per_year_pence: 0,
    next_period: null,
    starts_at: startOfDay(dayOf(now)),
    expires_at: endOfDay(addDays(dayOf(now), TRIAL_DAYS)),
    replaces_id: null,
  };
  const id = await insertSubscription(db, subscription, now);
  await recordChange(db, me, now, {
    action: 'trial_started',
    subjectKind: 'subscription',
    subjectId: id,
    details: { package: trial.title },
  });
  return getSubscription(db, id);
}

/** A subscription as the API returns it. */
export function toSubscription(row: SubscriptionRow, now: Date): Subscription {
  const days = Math.max(0, daysBetween(dayOf(now), dayOf(row.expires_at)));
  const current = currentPeriod(row, now);
  const next = row.next_period;
  return {
    id: row.id,
    title: current.title,
    package_id: current.package_id,
    is_trial: row.is_trial,
    has_expired: row.expires_at <= now,
    expires_at: row.expires_at.toISOString(),
    billing_period_end: row.expires_at.toISOString(),
    payment_provider: row.payment_provider,
    payment_provider_subscription_id: null,
    payment_amount: current === next ? next.price_per_year_pence : row.payment_amount_pence,
    renewal_duration_unit: 'year',
    renewal_status: row.is_awaiting_payment ? 'awaiting_payment' : null,
    max_readers: current.max_readers,
    next_period:
      next && current !== next
        ? {
            from: next.from,
            to: next.to,
            package_id: next.package_id,
            title: next.title,
            max_readers: next.max_readers,
            price: next.price_per_year_pence,
          }
        : null,
    meta: { is_nearing_end: days <= EXTENDABLE_DAYS, num_of_days_before_end: days },
  };
}

/** The number of pupils a school may have: null for no limit, 0 without an active subscription. */
export function capacityOf(row: SubscriptionRow | undefined, now: Date): number | null {
  if (!row || row.expires_at <= now) return 0;
  const { max_readers } = currentPeriod(row, now);
  return max_readers >= UNLIMITED_READERS ? null : max_readers;
}
