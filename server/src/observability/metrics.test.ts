import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApp } from '../app.ts';
import { inPlatform } from '../database/platform.ts';
import { enqueue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';
import { VERSION } from '../version.ts';
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
  'the authorization %j does not open the metrics',
  async (header) => {
    const { statusCode, payload } = await ask(header);
    expect({ statusCode, payload }).toEqual({ statusCode: 401, payload: '' });
  },
);

test('metrics are not found unless a setting turns them on', async () => {
  expect(await startMetrics(app.services.config, app.database, app.services.clock)).toBeUndefined();
  expect((await app.fastify.inject('/metrics')).statusCode).toBe(404);
});

test('metrics count replies by route and status, and contain nothing from the request', async () => {
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

test('metrics name the release', async () => {
  expect(await read()).toContain(`portal_build_info{version="${VERSION}"} 1`);
});

test('metrics report what waits in the queue, and how tries of jobs ended', async () => {
  await inPlatform(app.database, (db) => enqueue(db, 'cleaning', {}));
  expect(await read()).toContain('portal_jobs_waiting{job="cleaning"} 1');
  const fault = new Error('no');
  const run = (name: string, work: () => Promise<void>) => metrics.timeJob({ name, run: work }).run({});
  await run('cleaning', async () => undefined);
  await expect(run('mail', () => Promise.reject(fault))).rejects.toBe(fault);
  const text = await read();
  expect(text).toContain('portal_job_seconds_count{job="cleaning",outcome="done"} 1');
  expect(text).toContain('portal_job_seconds_count{job="mail",outcome="failed"} 1');
  expect(text).toContain('portal_database_up 1');
  expect(text).toMatch(/portal_mails_waiting \d/);
  for (const event of ['invite_limit_day', 'invite_limit_open'])
    expect(text).toMatch(new RegExp(`portal_events_total\\{event="${event}"\\} \\d`));
});

test('metrics count logins, rejected logins, mails sent, and hashes that wait', async () => {
  const { admin } = await app.build.school();
  const count = async (event: string) =>
    Number(new RegExp(`portal_events_total\\{event="${event}"\\} (\\d+)`).exec(await read())?.[1]);
  const before = [await count('login'), await count('login_rejected'), await count('mail_sent')];
  const logIn = (password: string) =>
    watched.inject({ method: 'POST', url: '/v1/auth', payload: { email: admin.email, password } });
  expect((await logIn(PASSWORD)).statusCode).toBe(200);
  expect((await logIn('another-secret')).statusCode).toBe(401);
  await app.call(passwordCalls.requestPasswordReset, { body: { email: admin.email } });
  await app.runJobs();
  const after = [await count('login'), await count('login_rejected'), await count('mail_sent')];
  // Two mails: the link, and the login from a new device.
  expect(after.map((value, index) => value - before[index]!)).toEqual([1, 1, 2]);
  expect(await read()).toContain('portal_password_hashes_waiting 0');
});

describe('the port of the metrics', () => {
  const fetchFrom = (port: number, path: string, headers = {}) =>
    new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      get({ port, path, headers }, (response) => {
        let text = '';
        response.on('data', (part) => (text += part)).on('end', () => resolve({ status: response.statusCode, text }));
      }).on('error', reject);
    });

  test('the port of the metrics serves nothing else', async () => {
    const server = await metrics.listen(0, app.services.config.metricsHost);
    const { address, port } = server.address() as AddressInfo;
    // Only a setting opens the port to other machines.
    expect(address).toBe('127.0.0.1');
    const authorization = `Bearer ${TOKEN}`;
    expect((await fetchFrom(port, '/metrics', { authorization })).text).toContain('portal_http_answer_seconds');
    expect((await fetchFrom(port, '/metrics')).status).toBe(401);
    expect((await fetchFrom(port, '/v1/health', { authorization })).status).toBe(404);
    await new Promise((resolve) => server.close(resolve));
  });
});

test('metrics are served without counts from the database while the database is unavailable', async () => {
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
  const server = await alone.listen(0, '127.0.0.1');
  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  const text = await answer.text();
  expect(answer.status).toBe(200);
  expect(text).toContain('portal_database_up 0');
  expect(text).not.toContain('portal_jobs_waiting{');
  await new Promise((resolve) => server.close(resolve));
});
