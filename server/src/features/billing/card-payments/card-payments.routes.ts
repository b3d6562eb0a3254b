import type { FastifyInstance } from 'fastify';
import { inPlatform } from '../../../database/platform.ts';
import { AppError } from '../../../errors.ts';
import type { Services } from '../../../context.ts';
import { defineHandlers, withPrepare } from '../../../http/pipeline.ts';
import { acceptsCard, getInvoiceByToken } from '../invoices/invoices.public.ts';
import { handleEvent, startCardPayment, verifyEvent } from './card-payments.service.ts';
import { listPaymentsToReconcile, reconcilePayment } from './unmatched-payments.service.ts';

export const cardPaymentHandlers = defineHandlers({
  payInvoiceByCard: withPrepare({
    // Outside transactions, because the provider may be slow.
    prepare: async ({ params, services: { database, config } }) => {
      const { invoice } = await getInvoiceByToken(database, params.invoiceToken.replace(/\.pdf$/, ''));
      if (invoice.status !== 'open') throw new AppError('invoice_not_open');
      if (!config.stripe || !acceptsCard(invoice, config)) throw new AppError('card_unavailable');
      return startCardPayment(config.stripe, invoice, config);
    },
    handle: async ({ prepared }) => ({ url: prepared }),
  }),
  listUnmatchedPayments: {
    handle: async ({ db }) => ({ payments: await listPaymentsToReconcile(db) }),
  },
  reconcilePayment: {
    handle: async ({ db, me, params, now }) => {
      await reconcilePayment(db, me, params.sessionId, now);
      return {};
    },
  },
});

/** True for an event with an object. */
const isComplete = (event: { data?: { object?: unknown } | null }): boolean =>
  typeof event.data?.object === 'object' && event.data.object !== null;

const MAX_EVENT_BYTES = 262_144;

/** The webhook of the payment provider. Its signature covers the raw bytes of the body. */
export async function serveStripeWebhook(app: FastifyInstance, { config, database, clock }: Services): Promise<void> {
  const { stripe } = config;
  if (!stripe) return;
  await app.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_EVENT_BYTES }, (_request, body, done) =>
      done(null, body),
    );
    hooks.post('/v1/stripe/webhook', async (request, reply) => {
      const signature = request.headers['stripe-signature'];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = typeof signature === 'string' ? verifyEvent(stripe, body, signature) : undefined;
      if (!event) return reply.status(400).send({ error: 'The signature is not valid.', error_type: 'bad_request' });
      if (!isComplete(event))
        return reply.status(400).send({ error: 'The event has no data.', error_type: 'bad_request' });
      const outcome = await inPlatform(database, (db) => handleEvent(db, event, config, clock.now()));
      if (outcome !== 'paid' && outcome !== 'ignored') request.log.warn({ event: event.id, outcome }, 'card payment');
      return { received: true };
    });
  });
}
