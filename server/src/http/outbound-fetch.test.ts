import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { isPublic, makeOutboundFetch, UnreachableError } from './outbound-fetch.ts';

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
  'https://[::10.0.0.1]/',
  'https://[4000::1]/',
  'https://[8000::1]/',
  'https://[fe00::1]/',
  'https://[2002:a00:1::1]/',
  'https://[64:ff9b::a00:1]/',
  'http://192.0.2.1/',
])('does not connect to %s', async (address) => {
  await expect(makeOutboundFetch(false)(address)).rejects.toThrow(UnreachableError);
  expect(await makeOutboundFetch(false)(address).catch((error: Error) => messageOf(error))).toMatch(
    /not a public address|no public address/,
  );
});

test.each([
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4009:81f::200e',
  '2000::1',
  '2001:200::1',
  '2001:db7:ffff::1',
  '2001:db9::1',
  '3ffe:ffff::1',
])('treats %s as a public address', (address) => {
  expect(isPublic(address)).toBe(true);
});

test.each([
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.255.255',
  '198.18.0.0',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::10.0.0.1',
  '::8.8.8.8',
  '::ffff:10.0.0.1',
  '::ffff:8.8.8.8',
  '::ffff:7f00:1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '1fff:ffff::1',
  '2001::1',
  '2001:0:a00:1::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:1ff:ffff::1',
  '2001:db8::1',
  '2001:db8:ffff::1',
  '2002:a00:1::1',
  '2002:808:808::1',
  '3fff:fff::1',
  '4000::1',
  '8000::1',
  'fc00::1',
  'fd00::1',
  'fe00::1',
  'fe80::1',
  'fe80::1%lo',
  'fec0::1',
  'ff02::1',
  'localhost',
  '',
  '010.0.0.1',
  '10.1',
])('treats “%s” as no public address', (address) => {
  expect(isPublic(address)).toBe(false);
});

test('an outbound request treats no IPv6 address outside 2000::/3 as public, whatever follows its first 16 bits', () => {
  for (let first = 0; first < 0x10000; first += 0x40)
    if (first < 0x2000 || first > 0x3fff)
      for (const rest of [':808:808::1', '::8.8.8.8', ':1:2:3:4:5:6:7'])
        expect([first, rest, isPublic(first.toString(16) + rest)]).toEqual([first, rest, false]);
});

const messageOf = (error: unknown): string =>
  error instanceof Error ? `${error.message} ${messageOf(error.cause)}` : '';

test('an outbound request reads a reply, without following a redirect', async () => {
  const fetch = makeOutboundFetch(true);
  expect(await (await fetch(`${url}/fine`)).json()).toEqual({ fine: true });
  expect((await fetch(`${url}/moved`)).status).toBe(302);
});

test.each(['/long', '/broken'])('an outbound request gives up on %s', async (path) => {
  await expect(makeOutboundFetch(true)(url + path)).rejects.toThrow(UnreachableError);
});

test('an outbound request gives up when the caller does', async () => {
  const ended = makeOutboundFetch(true)(`${url}/silent`, { signal: AbortSignal.abort() });
  await expect(ended).rejects.toThrow(UnreachableError);
});
