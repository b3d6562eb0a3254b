import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testSettings } from '../testing/test-settings.ts';
import { createServer } from './server.ts';

const SENT = 'from-the-proxy-1';

/** The ID of a request from this address. */
async function requestId(remoteAddress: string, settings: Record<string, string> = {}): Promise<unknown> {
  const app = await createServer(readConfig({ ...testSettings, ...settings }), []);
  const { headers } = await app.inject({ url: '/', remoteAddress, headers: { 'x-request-id': SENT } });
  await app.close();
  return headers['x-request-id'];
}

test.each(['10.1.2.3', '127.0.0.1', '::1', '::ffff:10.1.2.3'])(
  'the proxy at %s chooses the request ID',
  async (address) => {
    expect(await requestId(address, { TRUST_PROXY: '10.0.0.0/8, loopback' })).toBe(SENT);
  },
);

test.each(['192.0.2.1', '11.0.0.1', '2001:db8::1'])(
  'a stranger at %s does not choose the request ID',
  async (address) => {
    expect(await requestId(address, { TRUST_PROXY: '10.0.0.0/8, loopback' })).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  },
);

test('without TRUST_PROXY no one chooses the request ID', async () => {
  expect(await requestId('127.0.0.1')).not.toBe(SENT);
});
