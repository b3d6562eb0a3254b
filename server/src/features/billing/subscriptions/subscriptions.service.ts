import type { Subscription } from '#contract/calls/billing.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { addDays } from '../../../clock.ts';
import type { NextPeriod } from '../../../database/column-types.ts';
import { dayOf, daysBetween } from './period.service.ts';
import type { SubscriptionRow } from './subscriptions.queries.ts';

/** Days before its end from which a subscription can be extended. */
export const EXTENDABLE_DAYS = 60;

/** A period of a subscription, and what it covers. Its anniversaries are those of its first day. */
export type CoveredPeriod = NextPeriod;

/** The periods of a subscription in order: the first one, and the one that an extension added. */
export function periodsOf(row: SubscriptionRow): CoveredPeriod[] {
  const { next_period: next, package_id, title, max_readers, price_per_year_pence } = row;
  const from = dayOf(row.starts_at);
  const to = next ? addDays(next.from, -1) : dayOf(row.expires_at);
  const first = { from, to, package_id, title, max_readers, price_per_year_pence };
  return next ? [first, next] : [first];
}

/** The period of a subscription at a moment; after its end, the last one. */
export const currentPeriod = (row: SubscriptionRow, now: Date): CoveredPeriod =>
  periodsOf(row).findLast(({ from }, index) => index === 0 || from <= dayOf(now)) as CoveredPeriod;

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
