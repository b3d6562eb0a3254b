import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { makeOutboundFetch, UnreachableError } from './outbound-fetch.ts';

const answers: Record<string, (end: (status: number, body: string) => void) => void> = {
  '/fine': (end) => end(200, '{"fine":true}'),
  '/long': (end) => end(200, 'x'.repeat(1_100_000)),
  '/broken': (end) => end(503, ''),
  '/moved': (end) => end(302, ''),
  '/silent': () => undefined,
};
const server: Server = createServer((request, response) => {
  answers[request.url ?? '']?.((status, body) => response.writeHead(status, { location: '/fine' }).end(body));
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
const url = `http://localhost:${(server.address() as AddressInfo).port}`;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

test.each([
  'http://localhost/',
  'https://localhost/',
  'https://127.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://10.1.2.3/',
  'https://192.168.1.1/',
  'https://169.254.169.254/latest/meta-data',
  'https://[fd00::1]/',
  'https://0.0.0.0/',
  'http://192.0.2.1/',
])('does not connect to %s', async (address) => {
  await expect(makeOutboundFetch(false)(address)).rejects.toThrow(UnreachableError);
  expect(await makeOutboundFetch(false)(address).catch((error: Error) => messageOf(error))).toMatch(
    /not a public address|no public address/,
  );
});

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';

test('reads a reply, without following a redirect', async () => {
  const fetch = makeOutboundFetch(true);
  expect(await (await fetch(`${url}/fine`)).json()).toEqual({ fine: true });
  expect((await fetch(`${url}/moved`)).status).toBe(302);
});

test.each(['/long', '/broken'])('gives up on %s', async (path) => {
  await expect(makeOutboundFetch(true)(url + path)).rejects.toThrow(UnreachableError);
});

test('gives up when the caller does', async () => {
  const ended = makeOutboundFetch(true)(`${url}/silent`, { signal: AbortSignal.abort() });
  await expect(ended).rejects.toThrow(UnreachableError);
});
