import { connect, type Socket } from 'node:net';
import { errorReply } from '#contract/error-reply.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testSettings } from '../testing/test-settings.ts';
import { createServer } from './server.ts';

/** A server that soon disconnects a slow client, and one with the usual limits. */
let impatient: FastifyInstance;
let usual: FastifyInstance;
const config = (delay: string) => readConfig({ ...testSettings, MAX_EVENT_LOOP_DELAY: delay });
beforeAll(async () => {
  impatient = await createServer(config('0'), [], { headers: 200, request: 400, check: 50 });
  usual = await createServer(config('0'), []);
  for (const server of [impatient, usual]) {
    server.post('/', async () => ({}));
    await server.listen({ port: 0, host: '127.0.0.1' });
  }
});
afterAll(() => Promise.all([impatient.close(), usual.close()]));

/** What a client receives when it sends this and then nothing, until the server closes the connection. */
function send({ server }: FastifyInstance, text: string): Promise<string> {
  const { port } = server.address() as { port: number };
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
  const answer = await send(status === 408 ? impatient : usual, text);
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/content-security-policy: default-src 'self'/);
  expect(errorReply.parse(JSON.parse(body)).error_type).toBe('bad_request');
});

test('clients have 10 s for their headers and a minute for a request; idle connections are closed', async () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = usual.server;
  expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 72_000,
  });
});

test('a server whose event loop is delayed answers 503 except to files, and 200 afterwards', async () => {
  const late = await createServer(config('20'), []);
  const files = ['/lark.svg', '/favicon.ico?v=2', '/assets/start-1a.js'];
  for (const url of ['/v1/health', '/lark.svg', '/favicon.ico', '/assets/start-1a.js']) late.get(url, async () => ({}));
  await late.ready();
  const status = async () => (await late.inject('/v1/health')).statusCode;
  await expect.poll(status).toBe(200);
  const delayAndRequest = async () => {
    const { user, system } = process.cpuUsage();
    const used = () => process.cpuUsage().user + process.cpuUsage().system - user - system;
    while (used() < 300_000);
    await new Promise(setImmediate);
    const answer = await late.inject('/v1/health');
    const served = await Promise.all(files.map(async (url) => (await late.inject(url)).statusCode));
    return { status: answer.statusCode, wait: answer.headers['retry-after'], body: answer.json() as unknown, served };
  };
  await expect.poll(delayAndRequest).toEqual({
    status: 503,
    wait: '5',
    body: expect.objectContaining({ error_type: 'server', code: 'busy' }),
    served: files.map(() => 200),
  });
  await expect.poll(status).toBe(200);
  await late.close();
});
