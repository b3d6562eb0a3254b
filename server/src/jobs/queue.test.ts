import { sql } from 'kysely';
import { fromPglite, PgBoss } from 'pg-boss';
import { afterEach, expect, test, vi } from 'vitest';
import { EMBEDDED_JOBS } from '../database/embedded.ts';
import { inPlatform } from '../database/platform.ts';
import { testApp } from '../testing/app.ts';
import { enqueue, type Job, openQueue, type Queue } from './queue.ts';

const app = testApp();
let queue: Queue | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await queue?.stop();
});

/** Uses the queue as another process does. */
async function inOtherProcess(act: (boss: PgBoss) => Promise<void>): Promise<void> {
  const { engine } = app.database;
  const boss = new PgBoss({
    supervise: false,
    schedule: false,
    ...(engine.kind === 'embedded'
      ? { db: fromPglite(engine.pglite), backend: 'pglite' }
      : { db: { executeSql: (text: string, values?: unknown[]) => engine.ownerPool.query(text, values) } }),
  });
  await boss.start();
  await act(boss);
  await boss.stop({ graceful: false });
}

/** Fetches a job as a process does that is killed before its first heartbeat. */
const takeAndDie = (name: string): Promise<void> =>
  inOtherProcess(async (boss) => {
    expect(await boss.fetch(name)).toHaveLength(1);
  });

/** Moves the times in the queue's tables into the past. */
async function age(seconds: number): Promise<void> {
  const by = sql.raw(`interval '${seconds} seconds'`);
  await sql`update pgboss.queue set monitor_on = monitor_on - ${by}, monitor_claim_on = monitor_claim_on - ${by},
    maintain_on = maintain_on - ${by}`.execute(app.database.kysely);
  await sql`update pgboss.job set started_on = started_on - ${by}, heartbeat_on = heartbeat_on - ${by},
    start_after = start_after - ${by}`.execute(app.database.kysely);
}

const statesOf = async (name: string): Promise<string[]> =>
  (
    await sql<{ state: string }>`select state from pgboss.job where name = ${name} order by created_on, id`.execute(
      app.database.kysely,
    )
  ).rows.map(({ state }) => state);

/** Opens the queue of one job, for which a process works. */
async function work(job: Job): Promise<void> {
  queue = await openQueue(app.database, [job], (error) => {
    throw error;
  });
  await queue.work();
}

test('a job whose process was killed is run by another process within a minute', async () => {
  // The timer by which a process looks for such jobs is faked.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  let runs = 0;
  queue = await openQueue(app.database, [{ name: 'left-behind', run: async () => void (runs += 1) }], (error) => {
    throw error;
  });
  await inPlatform(app.database, (db) => enqueue(db, 'left-behind', {}));
  await takeAndDie('left-behind');
  expect(await queue.drain()).toBe(0);
  await age(45);
  await vi.advanceTimersByTimeAsync(45_000);
  await expect.poll(() => statesOf('left-behind')).toEqual(['retry']);
  await age(15);
  expect(await queue.drain()).toBe(1);
  expect(runs).toBe(1);
});

test('jobs of one name run at the same time up to their concurrency, and one that fails is retried alone', async () => {
  const started: number[] = [];
  const [batchStarted, released, allDone] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  const run = async ({ n }: { n: number }) => {
    started.push(n);
    if (started.length === 3) batchStarted.resolve();
    await released.promise;
    if (n === 1) throw new Error('no luck');
    if (n === 4) allDone.resolve();
  };
  const job = { name: 'batched', concurrency: 3, run } as Job;
  queue = await openQueue(app.database, [job], (error) => {
    throw error;
  });
  await inPlatform(app.database, async (db) => {
    for (const n of [1, 2, 3, 4]) await enqueue(db, 'batched', { n });
  });
  await queue.work();
  await batchStarted.promise;
  expect(started.sort()).toEqual([1, 2, 3]);
  released.resolve();
  await allDone.promise;
  const settled = ['completed', 'completed', 'completed', 'retry'];
  await expect.poll(async () => (await statesOf('batched')).sort()).toEqual(settled);
});

test('a process that stops aborts its running job, which is tried again later', async () => {
  const started = Promise.withResolvers<void>();
  await work({
    name: 'endless',
    run: (_data, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error));
        started.resolve();
      }),
  });
  await inPlatform(app.database, (db) => enqueue(db, 'endless', {}));
  await started.promise;
  await queue?.stop();
  expect(await statesOf('endless')).toEqual(['retry']);
});

test('a job with a longer limit is not retried after an hour while its process is alive', async () => {
  const jobs = ['usual', 'backup'].map((name) => ({ name, run: async () => undefined }));
  queue = await openQueue(app.database, [jobs[0]!, { ...jobs[1]!, maxSeconds: 7200 }], (error) => {
    throw error;
  });
  await inPlatform(app.database, async (db) => {
    for (const { name } of jobs) await enqueue(db, name, {});
  });
  await inOtherProcess(async (boss) => {
    for (const { name } of jobs) expect(await boss.fetch(name)).toHaveLength(1);
    await sql`update pgboss.job set started_on = now() - interval '61 minutes', heartbeat_on = now()
      where state = 'active'`.execute(app.database.kysely);
    for (const { name } of jobs) await boss.supervise(name);
  });
  expect(await statesOf('usual')).toEqual(['retry']);
  expect(await statesOf('backup')).toEqual(['active']);
});

test('a server drops the jobs of the embedded database that was moved there, with what waits', async () => {
  const isServer = app.database.engine.kind === 'server';
  await inOtherProcess(async (boss) => {
    for (const name of EMBEDDED_JOBS) {
      await boss.createQueue(name);
      await boss.schedule(name, '* * * * *');
      await boss.send(name, {});
    }
  });
  queue = await openQueue(app.database, [], (error) => {
    throw error;
  });
  const { rows } = await sql<{ name: string }>`
    select name from pgboss.queue union all select name from pgboss.schedule union all select name from pgboss.job
    order by 1`.execute(app.database.kysely);
  const found = rows.filter(({ name }) => EMBEDDED_JOBS.includes(name));
  expect(found.length > 0).toBe(!isServer);
});

test('a process that ends its work aborts its job and fetches no more, and can still enqueue', async () => {
  const runs: string[] = [];
  const started = Promise.withResolvers<void>();
  await work({
    name: 'handed-over',
    run: async (data, signal) => {
      runs.push((data as { of: string }).of);
      started.resolve();
      await new Promise((_done, fail) => signal?.addEventListener('abort', () => fail(new Error('Aborted.'))));
    },
  });
  const send = (of: string) => inPlatform(app.database, (db) => enqueue(db, 'handed-over', { of }));
  await send('this process');
  await started.promise;
  await queue!.endWork();
  expect(await statesOf('handed-over')).toEqual(['retry']);
  await send('another process');
  await inOtherProcess(async (boss) => {
    expect(await boss.fetch('handed-over')).toMatchObject([{ data: { of: 'another process' } }]);
  });
  expect(runs).toEqual(['this process']);
});
