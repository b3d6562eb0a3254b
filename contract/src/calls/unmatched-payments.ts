import { z } from 'zod';
import { defineCalls } from '../call.ts';
import { id, text, timestamp } from '../fields.ts';

/** `amount_differs`: the amount or currency is wrong; `surplus`: the invoice no longer needs a payment. */
const UNMATCHED_REASONS = ['amount_differs', 'surplus', 'unknown_invoice'] as const;

/** A card payment that settled no invoice. `amount` is in the smallest unit of `currency`. */
const unmatchedPayment = z
  .strictObject({
    /** The id of the payment provider's checkout session. */
    session_id: z.string(),
    invoice_number: z.string(),
    /** Null for an unknown invoice. */
    school: z.strictObject({ id, name: z.string() }).nullable(),
    reason: z.enum(UNMATCHED_REASONS),
    /** The payment's id in the provider's dashboard. */
    reference: z.string(),
    amount: z.number().int(),
    currency: z.string(),
    received_at: timestamp,
  })
  .meta({ id: 'UnmatchedPayment' });
export type UnmatchedPayment = z.infer<typeof unmatchedPayment>;

const sessionId = text('This is not a valid payment ID.').regex(/^\w{1,255}$/, 'This is not a valid payment ID.');

export const unmatchedPaymentCalls = defineCalls({
  listUnmatchedPayments: {
    method: 'GET',
    path: '/admin/unmatched-payments',
    tag: 'Operators',
    summary: 'Card payments to reconcile, because they settled no invoice',
    description:
      'The amount or currency differs from the invoice, the invoice no longer needs a payment, or the invoice does not exist. The oldest first, at most 200.',
    permission: 'operator',
    reply: z.strictObject({ payments: z.array(unmatchedPayment) }),
  },

  reconcilePayment: {
    method: 'POST',
    path: '/admin/unmatched-payments/{sessionId}/reconciled',
    tag: 'Operators',
    summary: 'Mark a card payment as reconciled, after it was refunded or assigned',
    permission: 'operator',
    params: z.strictObject({ sessionId }),
    errors: ['payment_not_found', 'payment_already_reconciled'],
  },
});
