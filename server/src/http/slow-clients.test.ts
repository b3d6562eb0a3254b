import { connect, type Socket } from 'node:net';
import { errorReply } from '#contract/error-reply.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { readConfig } from '../config.ts';
import { createServer } from './server.ts';

let app: FastifyInstance;
let port = 0;
const config = (delay: string) => readConfig({ STAGE: 'local', LOG_LEVEL: 'silent', MAX_EVENT_LOOP_DELAY: delay });
beforeAll(async () => {
  app = await createServer(config('0'), [], { headers: 200, request: 400, check: 50 });
  app.post('/', async () => ({}));
  await app.listen({ port: 0, host: '127.0.0.1' });
  port = (app.server.address() as { port: number }).port;
});
afterAll(() => app.close());

/** What a client receives when it sends this and then nothing, until the server closes the connection. */
function send(text: string): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text));
  let answer = '';
  socket.on('data', (bytes) => (answer += String(bytes))).on('error', () => undefined);
  return new Promise((resolve) => socket.once('close', () => resolve(answer)));
}

test.each([
  ['headers that never end', 'POST / HTTP/1.1\r\nhost: a\r\nx-slow: 1', 408],
  [
    'a body that never ends',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{',
    408,
  ],
  ['no HTTP at all', 'HELLO\r\n\r\n', 400],
  ['headers without measure', `GET / HTTP/1.1\r\nx: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
])('%s end with an error of the one shape and the end of the connection', async (_what, text, status) => {
  const answer = await send(text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/content-security-policy: default-src 'self'/);
  expect(errorReply.parse(JSON.parse(body)).error_type).toBe('bad_request');
});

test('clients have 10 s for their headers and a minute for a request; idle connections are closed', async () => {
  const usual = await createServer(config('0'), []);
  await usual.ready();
  const { headersTimeout, requestTimeout, keepAliveTimeout } = usual.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
  });
  await usual.close();
});

test('a server whose event loop is delayed answers 503 except to files, and 200 afterwards', async () => {
  const late = await createServer(config('20'), []);
  const files = ['/lark.svg', '/favicon.ico?v=2', '/assets/start-1a.js'];
  for (const url of ['/v1/health', '/lark.svg', '/favicon.ico', '/assets/start-1a.js']) late.get(url, async () => ({}));
  await late.ready();
  const status = async () => (await late.inject('/v1/health')).statusCode;
  expect(await status()).toBe(200);
  await vi.waitFor(async () => {
    const { user, system } = process.cpuUsage();
    const used = () => process.cpuUsage().user + process.cpuUsage().system - user - system;
    while (used() < 300_000);
    await new Promise(setImmediate);
    const answer = await late.inject('/v1/health');
    const served = await Promise.all(files.map(async (url) => (await late.inject(url)).statusCode));
    expect(served).toEqual(files.map(() => 200));
    expect({ status: answer.statusCode, wait: answer.headers['retry-after'], body: answer.json() }).toEqual({
      status: 503,
      wait: '5',
      body: expect.objectContaining({ error_type: 'server', code: 'busy' }),
    });
  }, 30_000);
  await vi.waitFor(async () => expect(await status()).toBe(200), 30_000);
  await late.close();
});
