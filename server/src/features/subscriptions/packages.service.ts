import type { PackageOffer, PackageRefusal } from '#contract/calls/billing.ts';
import { proratedPrice } from '#contract/money.ts';
import type { Seller } from '../../config.ts';
import type { SchoolDb } from '../../database/school.ts';
import { hasOpenInvoice } from './customer.queries.ts';
import type { PackageRow } from './packages.queries.ts';
import { dayOf, daysBetween, lengthOf, type Period, yearFrom } from './period.service.ts';
import { findSubscription, hadSubscription, type SubscriptionRow } from './subscriptions.queries.ts';
import { addDays } from '../../clock.ts';

/** Days before its end from which a subscription is called near it, and can be extended. */
export const EXTENDABLE_DAYS = 60;

/** The facts about a school that decide which packages it may choose, and at what price. */
interface Customer {
  subscription: SubscriptionRow | undefined;
  hasHadOne: boolean;
  hasOpenInvoice: boolean;
}

/** The school as a customer. */
export const findCustomer = async (db: SchoolDb): Promise<Customer> => ({
  subscription: await findSubscription(db),
  hasHadOne: await hadSubscription(db),
  hasOpenInvoice: await hasOpenInvoice(db),
});

/** What choosing a package leads to: a kind of purchase, or a rejection. `price` in pence without VAT. */
type Choice =
  | { kind: 'trial'; rejection?: never; price: 0; period?: never }
  | { kind: 'new' | 'upgrade' | 'extension'; rejection?: never; price: number; period: Period }
  | { kind: 'rejected'; rejection: PackageRefusal; price: number; period?: never };

const reject = (rejection: PackageRefusal, offer: PackageRow): Choice => ({
  kind: 'rejected',
  rejection,
  price: offer.price_pence,
});

/** The last day of a subscription. */
const lastDayOf = ({ expires_at }: Pick<SubscriptionRow, 'expires_at'>): string => dayOf(expires_at);

/** Days left of the current subscription, today included. */
const daysLeft = (subscription: SubscriptionRow, today: string): number =>
  Math.max(0, daysBetween(today, lastDayOf(subscription)) + 1);

/**
 * Decides what choosing a package today means for a school. A running paid subscription can be upgraded to a larger
 * package for the rest of its period, or extended near its end. In all other cases a new year starts today.
 */
export function evaluatePackageChoice(offer: PackageRow, customer: Customer, now: Date): Choice {
  const { subscription } = customer;
  const today = dayOf(now);
  if (offer.is_trial) return customer.hasHadOne ? reject('trial_unavailable', offer) : { kind: 'trial', price: 0 };
  if (customer.hasOpenInvoice) return reject('invoice_unpaid', offer);
  if (!subscription || subscription.is_trial || subscription.expires_at <= now)
    return { kind: 'new', price: offer.price_pence, period: yearFrom(today) };
  const last = lastDayOf(subscription);
  if (offer.id === subscription.package_id)
    return daysBetween(today, last) <= EXTENDABLE_DAYS
      ? { kind: 'extension', price: offer.price_pence, period: yearFrom(addDays(last, 1)) }
      : reject('already_subscribed', offer);
  if (!isLarger(offer, subscription)) return reject('downgrade', offer);
  const period = { from: dayOf(subscription.starts_at), to: last };
  const price = proratedPrice(
    subscription.payment_amount_pence,
    offer.price_pence,
    daysLeft(subscription, today),
    lengthOf(period),
  );
  return { kind: 'upgrade', price, period: { from: today, to: last } };
}

/** More places or, with as many, a higher price. */
const isLarger = (offer: PackageRow, current: SubscriptionRow): boolean =>
  offer.max_readers > current.max_readers ||
  (offer.max_readers === current.max_readers && offer.price_pence > current.payment_amount_pence);

/** The rate of VAT on a day, in hundredths of a percent. */
export const vatRateOn = (day: string, { vatRates }: Pick<Seller, 'vatRates'>): number =>
  vatRates.findLast(({ from }) => from <= day)?.rate ?? 0;

/** A package as the API returns it to a school. */
export function toPackageOffer(offer: PackageRow, customer: Customer, now: Date, seller: Seller): PackageOffer {
  const choice = evaluatePackageChoice(offer, customer, now);
  const { subscription } = customer;
  return {
    id: offer.id,
    title: offer.title,
    description: offer.description,
    price: offer.price_pence,
    is_trial: offer.is_trial,
    max_readers: offer.max_readers,
    has_subscription: subscription?.package_id === offer.id && subscription.expires_at > now,
    meta: {
      is_upgrading: choice.kind === 'upgrade',
      is_extending: choice.kind === 'extension',
      prorated_price: choice.kind === 'upgrade' ? choice.price : null,
      refusal: choice.rejection ?? null,
      period: choice.period ?? null,
      vat_rate: vatRateOn(dayOf(now), seller),
    },
  };
}
