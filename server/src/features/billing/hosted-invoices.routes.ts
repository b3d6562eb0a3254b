import type { FastifyInstance } from 'fastify';
import { inPlatform } from '../../database/platform.ts';
import { AppError } from '../../http/errors.ts';
import { defineHandlers, type Services, withPrepare } from '../../http/pipeline.ts';
import { FileReply } from '../../http/replies.ts';
import { getInvoiceByToken, toHostedInvoice } from './hosted-invoices.service.ts';
import { renderInvoice } from './invoice-pdf.service.ts';
import { handleEvent, startCardPayment, verifyEvent } from './stripe.service.ts';

/** The token in the last part of an address, with or without `.pdf`. */
const tokenIn = (part: string): string => part.replace(/\.pdf$/, '');

export const hostedInvoiceHandlers = defineHandlers({
  getHostedInvoice: withPrepare({
    // Found and drawn outside the call's transaction: the school is known by the token alone.
    prepare: async ({ params: { invoiceToken }, now, services: { database, config } }) => {
      const found = await getInvoiceByToken(database, tokenIn(invoiceToken));
      if (!invoiceToken.endsWith('.pdf')) return { invoice: toHostedInvoice(found, config, now) };
      const pdf = await renderInvoice(found.invoice, found.creditNote, config);
      return new FileReply('application/pdf', `${found.invoice.number}.pdf`, pdf);
    },
    handle: async ({ prepared }) => prepared,
  }),
  payInvoiceByCard: withPrepare({
    // The provider is asked while no transaction is open.
    prepare: async ({ params, services: { database, config } }) => {
      const { invoice } = await getInvoiceByToken(database, tokenIn(params.invoiceToken));
      if (!config.stripe) throw new AppError('card_unavailable');
      if (invoice.status !== 'open') throw new AppError('invoice_not_open');
      return startCardPayment(config.stripe, invoice, config);
    },
    handle: async ({ prepared }) => ({ url: prepared }),
  }),
});

const LARGEST_EVENT = 262_144;

/** Where the payment provider reports payments. Its signature is over the bytes, so that they are read as they are. */
export async function serveStripeWebhook(app: FastifyInstance, { config, database, clock }: Services): Promise<void> {
  const { stripe } = config;
  if (!stripe) return;
  await app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LARGEST_EVENT }, (_request, body, done) =>
      done(null, body),
    );
    hooks.post('/v1/stripe/webhook', async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = typeof signature === 'string' ? verifyEvent(stripe, body, signature) : undefined;
      if (!event) return reply.status(400).send({ error: 'The signature does not fit.', error_type: 'bad_request' });
      const outcome = await inPlatform(database, (db) => handleEvent(db, event, clock.now()));
      if (outcome !== 'paid' && outcome !== 'ignored') request.log.warn({ event: event.id, outcome }, 'card payment');
      return { received: true };
    });
  });
}
