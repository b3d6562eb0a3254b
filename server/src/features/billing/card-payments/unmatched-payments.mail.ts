import type { Config } from '../../../config.ts';
import { renderEmail } from '../../../mail/layout.ts';
import type { Mail } from '../../../mail/outbox.queries.ts';
import type { CardPayment, UnmatchedReason } from './card-payments.queries.ts';

const REASON_TEXTS: Record<UnmatchedReason, string> = {
  amount_differs: 'The amount or the currency is not that of the invoice, so the invoice stays as it was.',
  surplus: 'The invoice was already paid or credited.',
  unknown_invoice: 'There is no invoice with this number.',
};

/** Tells the operator of a card payment that settled no invoice. */
export const unmatchedPaymentMail = (
  { invoice_number, reference, amount_pence, currency }: CardPayment,
  reason: UnmatchedReason,
  { productName, publicUrl, support }: Config,
): Mail =>
  renderEmail(productName, {
    kind: 'unmatched_payment',
    recipient: support.email,
    subject: `Payment to reconcile: ${invoice_number}`,
    title: `A card payment for ${invoice_number} settled no invoice`,
    paragraphs: [
      REASON_TEXTS[reason],
      'Find the payment by its reference in Stripe and refund it, or correct the invoice. Then mark it as reconciled.',
    ],
    facts: [
      ['Invoice', invoice_number],
      ['Amount', `${(amount_pence / 100).toFixed(2)} ${currency.toUpperCase()}`],
      ['Reference', reference],
    ],
    action: { label: 'See payments to reconcile', url: `${publicUrl}/admin/invoices` },
  });
