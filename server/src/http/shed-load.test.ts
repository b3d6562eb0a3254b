import { connect } from 'node:net';
import { errorReply } from '#contract/error-reply.ts';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testSettings } from '../testing/test-settings.ts';
import { createServer } from './server.ts';
import { MAX_WAITING_REQUESTS } from './shed-load.ts';

let app: FastifyInstance;
/** Answers the requests to `/slow`, which wait until then. */
let answerSlow: () => void;
const start = async (settings: Record<string, string> = {}) => {
  app = await createServer(readConfig({ ...testSettings, ...settings }), []);
  const answered = new Promise<void>((resolve) => (answerSlow = resolve));
  app.get('/slow', async () => {
    await answered;
    return {};
  });
  app.get('/quick', async () => ({}));
  app.get('/guest', { config: { isAnsweredWhenBusy: () => true } }, async () => ({}));
  app.get('/lark.svg', async () => '');
  // A page that makes a call in the process while others wait.
  app.get('/page', { config: { isAnsweredWhenBusy: () => true } }, async () => (await app.inject('/quick')).statusCode);
  app.get(
    '/screen',
    { config: { errorPage: (_request, { isBusy }) => `<h1>${isBusy ? 'Busy' : 'Away'}</h1>` } },
    () => ({}),
  );
  await app.ready();
};
beforeEach(() => start());
afterEach(async () => {
  answerSlow();
  await app.close();
});

const statusOf = async (url: string) => (await app.inject(url)).statusCode;
const fill = () => Array.from({ length: MAX_WAITING_REQUESTS }, () => statusOf('/slow'));

test('with the embedded database a request beyond the limit of waiting ones is answered 503 with the code busy', async () => {
  const waiting = fill();
  const { statusCode, headers, body } = await app.inject('/quick');
  expect({ statusCode, wait: headers['retry-after'], body: errorReply.parse(JSON.parse(body)) }).toEqual({
    statusCode: 503,
    wait: '5',
    body: {
      error: 'The portal is busy. Nothing was changed.',
      error_type: 'server',
      code: 'busy',
    },
  });
  expect(headers['content-security-policy']).toContain("default-src 'self'");
  answerSlow();
  expect(await Promise.all(waiting)).toEqual(waiting.map(() => 200));
  expect(await statusOf('/quick')).toBe(200);
});

test('files, pages of guests and the calls of an accepted page are answered while the portal is busy', async () => {
  const waiting = fill();
  expect(await statusOf('/quick')).toBe(503);
  expect([await statusOf('/lark.svg'), await statusOf('/guest')]).toEqual([200, 200]);
  expect((await app.inject('/page')).body).toBe('200');
  answerSlow();
  await Promise.all(waiting);
});

test('a page that is rejected says that the portal is busy and loads itself again after five seconds', async () => {
  const waiting = fill();
  const { statusCode, headers, body } = await app.inject('/screen');
  expect({ statusCode, refresh: headers['refresh'], body }).toEqual({
    statusCode: 503,
    refresh: '5',
    body: '<h1>Busy</h1>',
  });
  answerSlow();
  await Promise.all(waiting);
});

test('requests whose clients leave before the reply wait no longer', async () => {
  await app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = app.server.address() as { port: number };
  const arrived = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  let open = 0;
  app.server.on('request', (_request, response) => {
    open += 1;
    if (open === MAX_WAITING_REQUESTS) arrived.resolve();
    response.once('close', () => {
      open -= 1;
      if (open === 0) left.resolve();
    });
  });
  const clients = Array.from({ length: MAX_WAITING_REQUESTS }, () => {
    const client = connect(port, '127.0.0.1', () => client.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n'));
    return client;
  });
  await arrived.promise;
  expect(await statusOf('/quick')).toBe(503);
  for (const client of clients) client.destroy();
  await left.promise;
  expect(await statusOf('/quick')).toBe(200);
});

test('with a PostgreSQL server the number of waiting requests has no limit here', async () => {
  await app.close();
  await start({ DATABASE_URL: 'postgres://portal@127.0.0.1/portal' });
  const waiting = fill();
  expect(await statusOf('/quick')).toBe(200);
  answerSlow();
  await Promise.all(waiting);
});
