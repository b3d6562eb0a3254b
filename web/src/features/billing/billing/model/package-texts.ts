import type { PackageOffer, Subscription } from '#contract/calls/billing.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { formatDate, formatPrice } from '../../../../shared/format.ts';

/** `Up to 120 students`, or `unlimited students`. */
export const placesText = (places: number): string =>
  places >= UNLIMITED_READERS ? 'unlimited students' : `Up to ${places} students`;

/** `90 of 120`, or `90` if places are unlimited. */
export const placesUsedText = (pupils: number, places: number): string =>
  places >= UNLIMITED_READERS ? String(pupils) : `${pupils} of ${places}`;

/** `24 November 2026 to 22 April 2027`. */
export const periodText = ({ from, to }: { from: string; to: string }): string =>
  `${formatDate(from)} to ${formatDate(to)}`;

/** `£840 a year from 23 April 2027`, without VAT. */
export const yearlyText = ({ net, from }: { net: number; from: string }): string =>
  `${formatPrice(net)} a year from ${formatDate(from)}`;

/** Today's price of a package for the school, for its card. */
export function priceText({ is_trial, price, meta }: PackageOffer): { amount: string; unit: string } {
  if (is_trial) return { amount: 'Free', unit: 'for 30 days' };
  return meta.is_upgrading && meta.due_now
    ? { amount: formatPrice(meta.due_now.net), unit: 'now, ex VAT' }
    : { amount: formatPrice(price), unit: 'per year, ex VAT' };
}

/** What the school pays for its subscription. */
export function paidText({ is_trial, payment_provider, payment_amount }: Subscription): string {
  if (payment_provider === 'manual' && payment_amount <= 0) return 'Complimentary';
  if (is_trial) return 'Free';
  return payment_provider === 'manual'
    ? `${formatPrice(payment_amount)}, ex VAT`
    : `${formatPrice(payment_amount)} per year, ex VAT`;
}
