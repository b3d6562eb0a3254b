import type { ListedDelivery } from '#contract/mail-delivery.ts';
import { expect, it } from 'vitest';
import { deliveryText, findFailedAddress } from './mail-deliveries.ts';

const REASON = '550 5.1.1 no such mailbox';
const delivery = (about: ListedDelivery['about'], more: Partial<ListedDelivery> = {}): ListedDelivery => ({
  about,
  invoice_number: null,
  email: `${about}@school.example`,
  state: 'sent',
  at: '2026-12-01T09:00:00.000Z',
  reason: null,
  is_blocked: false,
  ...more,
});

it.each([
  ['queued', null, null],
  ['queued', '450 greylisted', 'Email not delivered yet: “450 greylisted”. We keep trying for a day.'],
  ['sent', null, 'Email sent'],
  ['opened', null, 'Email arrived: its link was opened'],
  ['rejected', REASON, `Email not delivered: “${REASON}”`],
  ['bounced', REASON, `Email not delivered: “${REASON}”`],
  ['rejected', null, 'Email not delivered'],
] as const)('an email that is %s with the words %s reads “%s”', (state, reason, text) => {
  expect(deliveryText({ state, reason })).toBe(text);
});

it('of several addresses that fail, the user’s own comes first, then the billing contact’s', () => {
  const failed = { state: 'bounced', reason: REASON } as const;
  expect(findFailedAddress([delivery('account'), delivery('billing_contact')])).toBeNull();
  expect(findFailedAddress([delivery('primary_contact', failed), delivery('billing_contact', failed)])).toMatchObject({
    delivery: { about: 'billing_contact' },
    isOwn: false,
  });
  expect(findFailedAddress([delivery('billing_contact', failed), delivery('account', failed)])?.isOwn).toBe(true);
});

it('an address to which nothing more is sent counts, and an invoice that did not arrive does not', () => {
  expect(findFailedAddress([delivery('billing_contact', { is_blocked: true })])).not.toBeNull();
  expect(findFailedAddress([delivery('invoice', { state: 'bounced', reason: REASON })])).toBeNull();
});
