import { expect, test } from 'vitest';
import { bannerOf } from './banner.ts';

const ending = (days: number, more: object = {}) => ({
  is_trial: false,
  has_expired: false,
  meta: { is_nearing_end: days <= 60, num_of_days_before_end: days },
  ...more,
});
const invoice = { due_date: '2026-12-02' } as never;

test.each([
  [0, 'Your subscription ends today'],
  [1, 'Your subscription ends tomorrow'],
  [2, 'Your subscription ends in 2 days'],
  [60, 'Your subscription ends in 60 days'],
])('%i days before its end the banner says "%s" and offers Extend', (days, text) => {
  expect(bannerOf(ending(days), { open_invoice: null })).toMatchObject({ text, action: 'Extend' });
});

test('an unpaid invoice comes before the end of the subscription', () => {
  expect(bannerOf(ending(3), { open_invoice: invoice })?.text).toBe(
    'You have an unpaid invoice due by 2 December 2026',
  );
});

test('nothing is said far from the end, after it, and without a subscription', () => {
  expect(bannerOf(ending(61), undefined)).toBeNull();
  expect(bannerOf(ending(0, { has_expired: true }), undefined)).toBeNull();
  expect(bannerOf(null, { open_invoice: null })).toBeNull();
});

test('a trial, which cannot be extended, leads to the packages', () => {
  expect(bannerOf(ending(12, { is_trial: true }), undefined)).toMatchObject({
    text: 'Your subscription ends in 12 days',
    action: 'Choose a package',
  });
});
