import Stripe from 'stripe';
import { NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import type { Config, StripeConfig } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { AppError } from '../../../errors.ts';
import {
  type InvoiceRow,
  recordInvoiceChange,
  settleInvoice,
  toInvoice,
  withInvoice,
} from '../invoices/invoices.public.ts';
import { type CardPayment, recordCheckoutSession, type UnmatchedReason } from './card-payments.queries.ts';
import { reportUnmatchedPayment } from './unmatched-payments.service.ts';

const TIMEOUT_MS = 15_000;

function createClient({ secretKey, apiUrl }: StripeConfig): Stripe {
  const options = { timeout: TIMEOUT_MS, maxNetworkRetries: 1, telemetry: false };
  if (!apiUrl) return new Stripe(secretKey, options);
  const { hostname, port, protocol } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    ...options,
    host: hostname,
    port: Number(port || (isPlain ? 80 : 443)),
    protocol: isPlain ? 'http' : 'https',
  });
}

/** The URL of the page where an invoice is paid by card. Throws `unavailable` when the provider is down. */
export async function startCardPayment(stripe: StripeConfig, invoice: InvoiceRow, config: Config): Promise<string> {
  const { hosted_invoice_url: page } = toInvoice(invoice, config.publicUrl);
  const metadata = { invoice: invoice.number };
  const name = `${config.productName}: invoice ${invoice.number}`;
  try {
    const session = await createClient(stripe).checkout.sessions.create({
      mode: 'payment',
      client_reference_id: invoice.number,
      metadata,
      payment_intent_data: { metadata, description: name },
      ...(invoice.content.email ? { customer_email: invoice.content.email } : {}),
      line_items: [
        {
          quantity: 1,
          price_data: { currency: invoice.currency, unit_amount: invoice.total_pence, product_data: { name } },
        },
      ],
      success_url: `${page}?payment=received`,
      cancel_url: page,
    });
    if (session.url) return session.url;
    throw new Error('Stripe returned a Checkout Session without a URL.');
  } catch (error) {
    throw explainFailure(error);
  }
}

/** An outage of the provider is worth a retry. Any other error is our fault and is logged with the provider's type and code. */
function explainFailure(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error;
  const isOutage = error instanceof Stripe.errors.StripeConnectionError || (error.statusCode ?? 0) >= 500;
  if (isOutage) return new AppError('unavailable', { retryAfter: 30 });
  return new Error(`Stripe rejected a Checkout Session: ${error.type}, ${error.code ?? 'no code'}`, { cause: error });
}

/** The event in a webhook's body; undefined when its signature is not the provider's. */
export function verifyEvent(stripe: StripeConfig, body: Buffer, signature: string): Stripe.Event | undefined {
  try {
    return createClient(stripe).webhooks.constructEvent(body, signature, stripe.webhookSecret);
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return undefined;
    throw error;
  }
}

/** The outcome of an event, for the log. */
type EventOutcome = 'ignored' | 'repeated' | 'paid' | UnmatchedReason | 'not_ours';

/**
 * Handles an event once. A payment settles its invoice; one that matches no invoice is listed for an operator to
 * reconcile. Events may arrive twice, late and in any order.
 */
export async function handleEvent(
  db: PlatformDb,
  event: Stripe.Event,
  config: Config,
  now: Date,
): Promise<EventOutcome> {
  if (event.type !== 'checkout.session.completed' && event.type !== 'checkout.session.async_payment_succeeded')
    return 'ignored';
  const session = event.data.object;
  if (session.payment_status !== 'paid') return 'ignored';
  if (!(await recordCheckoutSession(db, session.id, now))) return 'repeated';
  const payment: CardPayment = {
    session_id: session.id,
    invoice_number: session.metadata?.invoice ?? '',
    reference: typeof session.payment_intent === 'string' ? session.payment_intent : session.id,
    amount_pence: session.amount_total ?? 0,
    // The code for `no currency`.
    currency: session.currency ?? 'xxx',
  };
  const outcome = await settleByCard(db, payment, now);
  if (outcome === 'paid') return outcome;
  // Other products may use the same account with the payment provider.
  if (outcome === 'unknown_invoice' && !payment.invoice_number.startsWith('INV-')) return 'not_ours';
  await reportUnmatchedPayment(db, payment, outcome, config, now);
  return outcome;
}

/** Settles the invoice that a payment names, unless they do not match. */
async function settleByCard(
  db: PlatformDb,
  { invoice_number, reference, amount_pence, currency }: CardPayment,
  now: Date,
): Promise<'paid' | UnmatchedReason> {
  try {
    return await withInvoice(db, invoice_number, async (schoolDb, invoice) => {
      const record = (action: 'payment_differs' | 'payment_surplus') =>
        recordInvoiceChange(schoolDb, NO_ACTOR, now, invoice, action, { reference, amount: amount_pence });
      if (amount_pence !== invoice.total_pence || currency !== invoice.currency) {
        await record('payment_differs');
        return 'amount_differs';
      }
      if (invoice.status !== 'open' && invoice.status !== 'uncollectible') {
        await record('payment_surplus');
        return 'surplus';
      }
      await settleInvoice(schoolDb, NO_ACTOR, invoice, { paidAt: now, by: 'card', reference }, now);
      return 'paid';
    });
  } catch (error) {
    if (error instanceof AppError && error.kind === 'invoice_not_found') return 'unknown_invoice';
    throw error;
  }
}
