import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';

const WEBHOOK_SECRET = 'whsec_test';

interface FakeStripe {
  /** Settings that make the app use this server. */
  settings: Record<string, string>;
  /** The forms sent to start payments, the latest last. */
  sessions: URLSearchParams[];
  /** Answers every request with this status and an error until it is undefined. */
  setFailure(status: number | undefined): void;
  /** A body and its signature, as the payment provider sends a webhook. */
  sign(event: object, secret?: string): { payload: string; headers: Record<string, string> };
  stop(): Promise<void>;
}

/** A server for the part of the payment provider's API that the product uses. */
export async function startFakeStripe(): Promise<FakeStripe> {
  const sessions: URLSearchParams[] = [];
  let failure: number | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const isSession = request.method === 'POST' && request.url === '/v1/checkout/sessions';
      const isKnown = request.headers.authorization === 'Bearer sk_test_1';
      response.setHeader('content-type', 'application/json');
      if (failure !== undefined || !isSession || !isKnown) {
        response.statusCode = failure ?? (isKnown ? 404 : 401);
        response.end(
          JSON.stringify({ error: { type: 'invalid_request_error', code: 'amount_too_small', message: 'No.' } }),
        );
        return;
      }
      sessions.push(new URLSearchParams(body));
      const id = `cs_test_${sessions.length}`;
      response.end(JSON.stringify({ id, object: 'checkout.session', url: `https://checkout.stripe.example/${id}` }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new Stripe('sk_test_1');
  return {
    settings: {
      STRIPE_SECRET_KEY: 'sk_test_1',
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: `http://127.0.0.1:${port}`,
    },
    sessions,
    setFailure: (status) => void (failure = status),
    sign(event, secret = WEBHOOK_SECRET) {
      const payload = JSON.stringify(event);
      const signature = client.webhooks.generateTestHeaderString({ payload, secret });
      return { payload, headers: { 'content-type': 'application/json', 'stripe-signature': signature } };
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
