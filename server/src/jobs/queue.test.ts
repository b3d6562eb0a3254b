import { sql } from 'kysely';
import { fromPglite, PgBoss } from 'pg-boss';
import { afterEach, expect, test, vi } from 'vitest';
import { inPlatform } from '../database/platform.ts';
import { testApp } from '../testing/app.ts';
import { enqueue, openQueue, type Queue } from './queue.ts';

const app = testApp();
let queue: Queue | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await queue?.stop();
});

/** Takes a job as a process does that is killed before it has given a sign of life. */
async function takeAndDie(name: string): Promise<void> {
  const { engine } = app.database;
  const boss = new PgBoss({
    supervise: false,
    schedule: false,
    ...(engine.kind === 'embedded'
      ? { db: fromPglite(engine.pglite), backend: 'pglite' }
      : { db: { executeSql: (text: string, values?: unknown[]) => engine.pool.query(text, values) } }),
  });
  await boss.start();
  expect(await boss.fetch(name)).toHaveLength(1);
  await boss.stop({ graceful: false });
}

/** Lets time pass for what is written in the queue's tables. */
async function age(seconds: number): Promise<void> {
  const by = sql.raw(`interval '${seconds} seconds'`);
  await sql`update pgboss.queue set monitor_on = monitor_on - ${by}, monitor_claim_on = monitor_claim_on - ${by},
    maintain_on = maintain_on - ${by}`.execute(app.database.kysely);
  await sql`update pgboss.job set started_on = started_on - ${by}, heartbeat_on = heartbeat_on - ${by},
    start_after = start_after - ${by}`.execute(app.database.kysely);
}

test('a job whose process is gone is carried out by another one within a minute', async () => {
  // The timer by which a process looks for such jobs.
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
  const stateOf = async () =>
    (await sql<{ state: string }>`select state from pgboss.job where name = 'left-behind'`.execute(app.database.kysely))
      .rows[0]?.state;
  await vi.waitFor(async () => expect(await stateOf()).toBe('retry'));
  await age(15);
  expect(await queue.drain()).toBe(1);
  expect(runs).toBe(1);
});
