import { expect, it } from 'vitest';
import { makePackage, makeUnavailablePackage, makeUpgrade } from '../../../../testing/make-package.ts';
import { makeSubscription } from '../../../../testing/make-school.ts';
import { paidText, placesText, priceText } from './package-texts.ts';

it.each([
  [30, 'Up to 30 students'],
  [998, 'Up to 998 students'],
  [999, 'unlimited students'],
])('%i places are shown as “%s”', (places, text) => {
  expect(placesText(places)).toBe(text);
});

it('the price of a package is in whole pounds per year, without VAT', () => {
  expect(priceText(makePackage({ price: 144_000 }))).toEqual({ amount: '£1,440', unit: 'per year, ex VAT' });
});

it('the price of the trial is “Free”', () => {
  expect(priceText(makeUnavailablePackage(null, { is_trial: true, price: 0 })).amount).toBe('Free');
});

it('the price of an upgrade is the prorated one, with its pence', () => {
  expect(priceText(makeUpgrade())).toEqual({ amount: '£149.51', unit: 'now, ex VAT' });
});

it.each([
  ['manual', 0, 'Complimentary'],
  ['manual', -1, 'Complimentary'],
  ['manual', 50_000, '£500, ex VAT'],
  ['invoice', 84_000, '£840 per year, ex VAT'],
])('a subscription by %s for %i pence is shown as “%s”', (payment_provider, payment_amount, text) => {
  expect(paidText(makeSubscription({ payment_provider, payment_amount }))).toBe(text);
});
