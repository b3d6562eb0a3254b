import type { PackageOffer, PackageRefusal } from '#contract/calls/billing.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import type { Seller } from '../../../config.ts';
import { addDays } from '../../../clock.ts';
import {
  currentPeriod,
  dayOf,
  daysBetween,
  EXTENDABLE_DAYS,
  type Period,
  yearFrom,
} from '../subscriptions/subscriptions.public.ts';
import type { Customer, PackageRow } from './purchases.queries.ts';
import { isLarger, upgradePeriod, upgradePrice } from './proration.service.ts';
import { quotePrice, vatRateFor, vatRateOn } from './quotes.service.ts';

/** What choosing a package leads to: a kind of purchase, or a rejection. `price` in pence without VAT. */
type Choice =
  | { kind: 'trial'; rejection?: never; price?: never; period?: never }
  | { kind: 'new' | 'upgrade' | 'extension'; rejection?: never; price: number; period: Period }
  | { kind: 'rejected'; rejection: PackageRefusal; price?: never; period?: never };

const reject = (rejection: PackageRefusal): Choice => ({ kind: 'rejected', rejection });

/** The number of places that a package lacks for the school's active pupils. */
const missingPlaces = ({ max_readers }: PackageRow, { activePupils }: Customer): number =>
  max_readers >= UNLIMITED_READERS ? 0 : Math.max(0, activePupils - max_readers);

/**
 * Decides what choosing a package today means for a school. An active paid subscription can be upgraded to a larger
 * package for its remaining days. Near its end the same or a smaller package extends it. In all other cases a new
 * year starts today. The package needs a place for each active pupil.
 */
export function evaluatePackageChoice(offer: PackageRow, customer: Customer, now: Date): Choice {
  if (offer.is_trial) return customer.hasHadSubscription ? reject('trial_unavailable') : { kind: 'trial' };
  if (customer.hasOpenInvoice) return reject('invoice_unpaid');
  const choice = evaluateTiming(offer, customer, now);
  return choice.kind !== 'rejected' && missingPlaces(offer, customer) > 0 ? reject('too_many_pupils') : choice;
}

function evaluateTiming(offer: PackageRow, { subscription }: Customer, now: Date): Choice {
  const today = dayOf(now);
  if (!subscription || subscription.is_trial || subscription.expires_at <= now)
    return { kind: 'new', price: offer.price_pence, period: yearFrom(today) };
  const last = dayOf(subscription.expires_at);
  const current = currentPeriod(subscription, now);
  const isSame = offer.id === current.package_id;
  const size = { max_readers: offer.max_readers, price_per_year_pence: offer.price_pence };
  if (!isSame && isLarger(size, current))
    return {
      kind: 'upgrade',
      price: upgradePrice(size, subscription, today),
      period: upgradePeriod(size, subscription, today),
    };
  if (daysBetween(today, last) <= EXTENDABLE_DAYS)
    return { kind: 'extension', price: offer.price_pence, period: yearFrom(addDays(last, 1)) };
  return reject(isSame ? 'already_subscribed' : 'downgrade');
}

/** A package as the API returns it to a school. */
export function toPackageOffer(offer: PackageRow, customer: Customer, now: Date, seller: Seller): PackageOffer {
  const choice = evaluatePackageChoice(offer, customer, now);
  const { subscription, billingCountry, activePupils } = customer;
  const quote = choice.period && quotePrice(offer, choice, vatRateFor(billingCountry, dayOf(now), seller));
  return {
    id: offer.id,
    title: offer.title,
    description: offer.description,
    price: offer.price_pence,
    is_trial: offer.is_trial,
    max_readers: offer.max_readers,
    has_subscription:
      subscription !== undefined &&
      subscription.expires_at > now &&
      currentPeriod(subscription, now).package_id === offer.id,
    meta: {
      is_upgrading: choice.kind === 'upgrade',
      is_extending: choice.kind === 'extension',
      prorated_price: choice.kind === 'upgrade' ? choice.price : null,
      refusal: choice.rejection ?? null,
      period: choice.period ?? null,
      due_now: quote ? { net: quote.net, vat: quote.vat, total: quote.total } : null,
      due_yearly: quote?.due_yearly ?? null,
      active_pupils: activePupils,
      missing_places: missingPlaces(offer, customer),
      vat_rate: vatRateOn(dayOf(now), seller),
    },
  };
}
