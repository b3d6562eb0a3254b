import { systemCalls } from '#contract/calls/system.ts';
import { afterEach, expect, test, vi } from 'vitest';
import { createApp } from '../app.ts';
import type { Database } from '../database/database.ts';
import { testApp } from '../testing/app.ts';

const app = testApp();
afterEach(() => void vi.useRealTimers());

/** The same app on a database whose statements never end. */
function createStuckApp() {
  const executor = {
    transformQuery: <T>(query: T) => query,
    compileQuery: () => ({}),
    executeQuery: () => new Promise(() => undefined),
  };
  const kysely = { getExecutor: () => executor } as unknown as Database['kysely'];
  return createApp({ ...app.services, database: { ...app.database, kysely } });
}

test('GET /health answers 503 within two seconds while the database is stuck, and GET /live answers 200', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const stuck = await createStuckApp();
  const health = stuck.inject('/v1/health');
  await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
  const live = await stuck.inject('/v1/live');
  expect({ status: live.statusCode, body: live.json() }).toEqual({ status: 200, body: { status: 'ok' } });
  await vi.advanceTimersByTimeAsync(2000);
  const { statusCode, headers } = await health;
  expect({ statusCode, retryAfter: headers['retry-after'] }).toEqual({ statusCode: 503, retryAfter: '5' });
  vi.useRealTimers();
  await stuck.close();
  expect((await app.call(systemCalls.getHealth)).status).toBe(200);
});

test('a process that stops answers 503 to GET /health and serves everything else on connections that close', async () => {
  const stopping = await createApp(app.services);
  const ask = async (url: string) => {
    const { statusCode, headers } = await stopping.inject(url);
    return { status: statusCode, connection: headers.connection, retryAfter: headers['retry-after'] };
  };
  expect(await ask('/v1/health')).toMatchObject({ status: 200, connection: 'keep-alive' });
  stopping.startDraining();
  expect(await ask('/v1/health')).toEqual({ status: 503, connection: 'close', retryAfter: '5' });
  expect(await ask('/v1/live')).toMatchObject({ status: 200, connection: 'close' });
  expect(await ask('/v1/openapi.json')).toMatchObject({ status: 200, connection: 'close' });
  expect(await ask('/v1/unknown')).toMatchObject({ status: 404, connection: 'close' });
  await stopping.close();
});
