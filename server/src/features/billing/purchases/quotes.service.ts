import { UNLIMITED_READERS } from '#contract/limits.ts';
import { TAXABLE_COUNTRIES, totalOf } from '#contract/money.ts';
import type { Quote } from '#contract/quote.ts';
import { addDays } from '../../../clock.ts';
import type { Config, Seller } from '../../../config.ts';
import type { PurchaseLine } from '../invoices/invoices.public.ts';
import type { Period } from '../subscriptions/subscriptions.public.ts';
import type { PackageRow } from './purchases.queries.ts';

/** The rate of VAT on a day, in hundredths of a percent. */
export const vatRateOn = (day: string, { vatRates }: Pick<Seller, 'vatRates'>): number =>
  vatRates.findLast(({ from }) => from <= day)?.rate ?? 0;

/** The rate of VAT for a customer in a country on a day. */
export const vatRateFor = (country: string, day: string, seller: Pick<Seller, 'vatRates'>): number =>
  TAXABLE_COUNTRIES.includes(country) ? vatRateOn(day, seller) : 0;

/** What a package costs now, and what each year after that period costs. */
export function quotePrice(
  offer: Pick<PackageRow, 'price_pence'>,
  { price, period }: { price: number; period: Period },
  vat_rate: number,
): Quote {
  const withVat = (pence: number) => totalOf([{ quantity: 1, unit_price_pence: pence, vat_rate }]);
  return {
    ...withVat(price),
    period,
    due_yearly: { ...withVat(offer.price_pence), from: addDays(period.to, 1) },
  };
}

const KIND_TEXTS = {
  new: '12 months',
  upgrade: 'Upgrade for the rest of the current period',
  extension: 'Extension by 12 months',
  custom: 'Custom package',
} as const;

const placesText = (places: number): string =>
  places >= UNLIMITED_READERS ? 'unlimited students' : `up to ${places} students`;

/** The line of a package on an invoice. */
export const packageLine = (
  { title, max_readers }: { title: string; max_readers: number },
  kind: keyof typeof KIND_TEXTS,
  pricePence: number,
  { country_code }: { country_code: string },
  { productName, seller }: Pick<Config, 'productName' | 'seller'>,
  day: string,
): PurchaseLine => ({
  description: `${productName} – ${title}, ${placesText(max_readers)}`,
  detail: KIND_TEXTS[kind],
  quantity: 1,
  unit_price_pence: pricePence,
  vat_rate: vatRateFor(country_code, day, seller),
});
