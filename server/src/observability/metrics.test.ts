import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { inPlatform } from '../database/platform.ts';
import { enqueue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import { type Metrics, startMetrics } from './metrics.ts';

const TOKEN = 'a-token-of-enough-characters';
const app = testApp();
let metrics: Metrics;
let watched: Awaited<ReturnType<typeof createApp>>;

beforeAll(async () => {
  const { config, database, clock } = app.services;
  metrics = (await startMetrics({ ...config, metricsToken: TOKEN }, database, clock))!;
  watched = await createApp(app.services, undefined, (created) => {
    metrics.watch(created);
    metrics.serve(created);
  });
});
afterAll(() => watched.close());

const ask = (authorization?: string) =>
  watched.inject({ url: '/metrics', headers: authorization === undefined ? {} : { authorization } });
const read = async () => (await ask(`Bearer ${TOKEN}`)).payload;

test.each([undefined, '', 'Bearer ', 'Bearer x', `Bearer ${TOKEN}x`, TOKEN])(
  '%j does not open the metrics',
  async (header) => {
    const { statusCode, payload } = await ask(header);
    expect({ statusCode, payload }).toEqual({ statusCode: 401, payload: '' });
  },
);

test('are not there where the settings do not ask for them', async () => {
  expect(await startMetrics(app.services.config, app.database, app.services.clock)).toBeUndefined();
  expect((await app.fastify.inject('/metrics')).statusCode).toBe(404);
});

test('count answers by route and status, and hold nothing of what was asked', async () => {
  const { admin, id } = await app.build.school();
  await watched.inject({
    url: `/v1/enterprises/${id}/readers?search=Quill`,
    headers: { authorization: `Bearer ${admin.token}` },
  });
  await watched.inject('/v1/persephone');
  const text = await read();
  expect(text).toMatch(
    /portal_http_answer_seconds_count\{route="GET \/v1\/enterprises\/:id\/readers",status="200"\} 1/,
  );
  expect(text).toMatch(/portal_http_answer_seconds_count\{route="GET none",status="404"\} 1/);
  expect(text).not.toMatch(/Quill|persephone/);
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
});

test('say what waits in the queue, and how tries of jobs ended', async () => {
  await inPlatform(app.database, (db) => enqueue(db, 'cleaning', {}));
  expect(await read()).toContain('portal_jobs_waiting{job="cleaning"} 1');
  const fault = new Error('no');
  const run = (name: string, work: () => Promise<void>) => metrics.timed({ name, run: work }).run({});
  await run('cleaning', async () => undefined);
  await expect(run('mail', () => Promise.reject(fault))).rejects.toBe(fault);
  const text = await read();
  expect(text).toContain('portal_job_seconds_count{job="cleaning",outcome="done"} 1');
  expect(text).toContain('portal_job_seconds_count{job="mail",outcome="failed"} 1');
  expect(text).toContain('portal_database_up 1');
  expect(text).toMatch(/portal_mails_waiting \d/);
});

describe('on a port of their own', () => {
  const fetchFrom = (port: number, path: string, headers = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      get({ port, path, headers }, (response) => {
        let text = '';
        response.on('data', (part) => (text += part)).on('end', () => resolve({ status: response.statusCode, text }));
      }).on('error', reject);
    });

  test('are answered there, and nothing else is', async () => {
    const server = await metrics.listen(0);
    const { port } = server.address() as AddressInfo;
    const authorization = `Bearer ${TOKEN}`;
    expect((await fetchFrom(port, '/metrics', { authorization })).text).toContain('portal_http_answer_seconds');
    expect((await fetchFrom(port, '/metrics')).status).toBe(401);
    expect((await fetchFrom(port, '/v1/health', { authorization })).status).toBe(404);
    await new Promise((resolve) => server.close(resolve));
  });
});

test('are answered without the counts of the database while that is away', async () => {
  const gone = { ...app.database, kysely: app.database.kysely.withSchema('nowhere') };
  const { config, clock } = app.services;
  const alone = (await startMetrics(
    { ...config, metricsToken: TOKEN },
    {
      ...gone,
      kysely: {
        transaction: () => {
          throw new Error('away');
        },
      } as never,
    },
    clock,
  ))!;
  const server = await alone.listen(0);
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain('portal_database_up 0');
  expect(text).not.toContain('portal_jobs_waiting{');
  await new Promise((resolve) => server.close(resolve));
});
