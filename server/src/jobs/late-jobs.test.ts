import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import type { Server } from '../database/database.ts';
import { testApp } from '../testing/app.ts';
import { type Job, openQueue, type Queue } from './queue.ts';

/*
 * The library looks for missed times when a process starts to follow the clock. The jobs are due half a day from now, so
 * that none is due while the tests run, and the times of the queue are moved instead of the clock.
 */
const app = testApp();
const queues: Queue[] = [];
const fail = (error: Error): never => {
  throw error;
};

const hour = (new Date().getUTCHours() + 12) % 24;
const late: Job = { name: 'late', schedule: `30 ${hour} * * *`, canRunLate: true, run: async () => undefined };
const punctual: Job = { ...late, name: 'punctual', canRunLate: false };

const start = async (jobs: readonly Job[] = [late, punctual]): Promise<void> => {
  queues.push(await openQueue(app.services.database, jobs, fail, { followsClock: true }));
};
const stopAll = async () => {
  for (const queue of queues.splice(0)) await queue.stop();
};
afterEach(stopAll);

const change = (statement: string) => sql.raw(statement).execute(app.database.kysely);

/** The portal was installed long ago, and its last process stopped so long ago. */
const stopFor = async (interval: string) => {
  await change(`update pgboss.version set cron_on = now() - interval '${interval}'`);
  await change("update pgboss.schedule set created_on = now() - interval '1 year'");
};

/** The pass after a start sets the time of the last one. */
const countPasses = async (): Promise<number> =>
  (
    await sql`select from pgboss.version where cron_on between now() - interval '30 seconds' and now()`.execute(
      app.database.kysely,
    )
  ).rows.length;

const countJobs = async (name: string): Promise<number> =>
  (await sql`select from pgboss.job where name = ${name}`.execute(app.database.kysely)).rows.length;
/** Scheduled jobs are handed over by a queue of the library's. */
const countUnsent = async (): Promise<number> =>
  (
    await sql`select from pgboss.job where name = '__pgboss__send-it' and state < 'completed'`.execute(
      app.database.kysely,
    )
  ).rows.length;

const settle = async () => {
  await expect.poll(countPasses).toBe(1);
  await expect.poll(countUnsent).toBe(0);
};

beforeEach(async () => {
  await start();
  await settle();
  await stopAll();
  await change('delete from pgboss.job');
});

test('the first start of an empty portal runs no missed job', async () => {
  await change('update pgboss.version set cron_on = null');
  await start();
  await settle();
  expect(await countJobs('late')).toBe(0);
});

test('a job that was missed ten times runs once at the next start, and a punctual one does not', async () => {
  await stopFor('10 days');
  await start();
  await expect.poll(() => countJobs('late')).toBe(1);
  await settle();
  expect(await countJobs('punctual')).toBe(0);
  await stopAll();
  await start();
  await settle();
  expect(await countJobs('late')).toBe(1);
});

test('two processes that start at the same time run a missed job once', async () => {
  await stopFor('2 days');
  await Promise.all([start(), start()]);
  await expect.poll(() => countJobs('late')).toBe(1);
  await settle();
  expect(await countJobs('late')).toBe(1);
});

test('a start after a stop between two times of a job runs no missed job', async () => {
  await stopFor('10 minutes');
  await start();
  await settle();
  expect(await countJobs('late')).toBe(0);
});

test('a job that is new in this release does not run for the time before', async () => {
  await stopFor('2 days');
  await start([late, punctual, { ...late, name: 'added' }]);
  await expect.poll(() => countJobs('late')).toBe(1);
  await settle();
  expect(await countJobs('added')).toBe(0);
});

test('scheduled jobs start again after the clock was ahead, and no missed job runs', async () => {
  await change("update pgboss.version set cron_on = now() + interval '60 days'");
  await change("update pgboss.schedule set created_on = now() - interval '1 year'");
  await start();
  await settle();
  expect(await countJobs('late')).toBe(0);
});

test('missed backups, cleaning and checks run late, and missed mails to people do not', () => {
  const { database } = app.services;
  const server = { kind: 'server' } as Server;
  const config = { ...app.services.config, backupDir: '/var/backups/portal' };
  const services = { ...app.services, config, database: { ...database, engine: server } };
  const jobs = listJobs(services, async () => undefined).filter(
    // Those of each hour or minute are soon due again.
    ({ schedule }) =>
      schedule !== undefined &&
      !schedule
        .split(' ')
        .slice(0, 2)
        .some((part) => /[*/,]/.test(part)),
  );
  const listNames = (canRunLate: boolean) =>
    jobs
      .filter((job) => (job.canRunLate ?? false) === canRunLate)
      .map(({ name }) => name)
      .sort();
  expect(listNames(true)).toEqual([
    'audit-heads',
    'audit-names',
    'audit-pruning',
    'backup',
    'backup-off-site',
    'cleaning',
    'school-records-checks',
  ]);
  expect(listNames(false)).toEqual(expect.arrayContaining(['billing-reminders', 'weekly-digest']));
});
