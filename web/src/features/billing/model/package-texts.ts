import type { PackageOffer, Subscription } from '#contract/calls/billing.ts';
import { errorList } from '#contract/errors.ts';
import { UNLIMITED_READERS } from '#contract/limits.ts';
import { formatMoney } from '../../../shared/format.ts';

/** `max_readers` of packages without a bound. */

/** `Up to 120 students`, or `unlimited students`. */
export const placesText = (places: number): string =>
  places >= UNLIMITED_READERS ? 'unlimited students' : `Up to ${places} students`;

/** What a package costs the school today, as it stands on its card. */
export function priceText({ is_trial, price, meta }: PackageOffer): { amount: string; unit: string } {
  if (is_trial) return { amount: 'Free', unit: 'for 30 days' };
  if (meta.is_upgrading && meta.prorated_price !== null)
    return { amount: formatMoney(meta.prorated_price), unit: 'until the end of your year, ex VAT' };
  return { amount: formatMoney(price), unit: 'per year, ex VAT' };
}

/** What the school pays for its subscription. */
export function paidText({ is_trial, payment_provider, payment_amount }: Subscription): string {
  if (payment_provider === 'manual' && payment_amount <= 0) return 'Complimentary';
  if (is_trial) return 'Free';
  return payment_provider === 'manual'
    ? `${formatMoney(payment_amount)}, ex VAT`
    : `${formatMoney(payment_amount)} per year, ex VAT`;
}

/** Why a package cannot be chosen; nothing where it can, or where nothing has to be said. */
export const refusalText = ({ meta: { refusal } }: PackageOffer): string | null =>
  refusal === null || refusal === 'already_subscribed' ? null : errorList[refusal].text;
