import { fromKysely, fromPglite, PgBoss, type WorkOptions } from 'pg-boss';
import type { Database } from '../database/database.ts';
import { type PlatformDb, withPlatform } from '../database/platform.ts';
import type { SchoolDb } from '../database/school.ts';

/** A kind of background work: its name, what it needs to know, how it is carried out. Handlers may run twice and must not mind. */
export interface Job<Data extends object = object> {
  name: string;
  /** Cron expression in London time, for work that begins by itself. */
  schedule?: string;
  /** Tries after the first; 5 when absent. */
  retries?: number;
  run(data: Data): Promise<void>;
}

export interface Queue {
  /** Begins to carry out jobs in this process. */
  work(): Promise<void>;
  /**
   * Carries out all that waits, in order, and returns how many there were; for tests and tools. Throws what a job throws.
   * @param options.scheduled begins each scheduled job first, as its time would
   */
  drain(options?: { scheduled?: boolean }): Promise<number>;
  /** Finishes running jobs, then stops. */
  stop(): Promise<void>;
}

/** Puts a job into the queue in the transaction of `db`: it runs after the commit, or never. */
export async function enqueue(
  db: SchoolDb | PlatformDb,
  name: string,
  data: object,
  options?: { startAfter?: Date; singletonKey?: string },
): Promise<void> {
  // The queue's tables are the platform's own: the school's role does not reach them.
  if ('schoolId' in db) return withPlatform(db, (platform) => enqueue(platform, name, data, options));
  if (!db.jobs) throw new Error('The job queue is not open.');
  await db.jobs(db.tx, name, data, options);
}

/** Seconds without a sign of life after which a job's process counts as gone; the process gives one each third of it. */
const HEARTBEAT_S = 15;
/** How often each process looks for jobs of processes that are gone: with the heartbeat well under a minute. */
const WATCH_S = 10;
/** No job takes longer. */
const LONGEST_JOB_S = 3600;

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** Opens the queue of these jobs and makes `enqueue` work. */
export async function openQueue(
  database: Database,
  jobs: readonly Job[],
  onError: (error: Error) => void,
): Promise<Queue> {
  const { engine } = database;
  const watch = { superviseIntervalSeconds: WATCH_S, monitorIntervalSeconds: WATCH_S };
  const boss =
    engine.kind === 'embedded'
      ? new PgBoss({ ...watch, db: fromPglite(engine.pglite), backend: 'pglite' })
      : new PgBoss({
          ...watch,
          db: { executeSql: (text: string, values?: unknown[]) => engine.pool.query(text, values) },
        });
  boss.on('error', onError);
  await boss.start();
  for (const job of jobs) {
    const options = {
      retryLimit: job.retries ?? 5,
      retryBackoff: true,
      retryDelay: 5,
      heartbeatSeconds: HEARTBEAT_S,
      expireInSeconds: LONGEST_JOB_S,
    };
    await boss.createQueue(job.name, options);
    // A queue that is there keeps what it was made with.
    await boss.updateQueue(job.name, options);
    // Looks the queue up, which the library does once and keeps: inside a transaction of the embedded database,
    // which has one connection, the first job of a queue would wait for that look-up for ever.
    await boss.findJobs(job.name, { id: NO_JOB });
    if (job.schedule) await boss.schedule(job.name, job.schedule, {}, { tz: 'Europe/London' });
  }
  database.jobs = async (tx, name, data, options) => {
    await boss.send(name, data, { ...options, db: fromKysely(tx) });
  };
  return {
    async work() {
      const options: WorkOptions = { pollingIntervalSeconds: 1, heartbeatRefreshSeconds: HEARTBEAT_S / 3 };
      for (const job of jobs)
        await boss.work(job.name, options, async (batch) => {
          for (const { data } of batch) await job.run(data as object);
        });
    },
    async drain({ scheduled = false } = {}) {
      if (scheduled) for (const job of jobs) if (job.schedule) await boss.send(job.name, {});
      let done = 0;
      for (let idle = false; !idle;) {
        idle = true;
        for (const job of jobs)
          for (const { id, data } of await boss.fetch(job.name, { batchSize: 50 })) {
            idle = false;
            done += 1;
            try {
              await job.run(data as object);
            } catch (error) {
              await boss.fail(job.name, id);
              throw error;
            }
            await boss.complete(job.name, id);
          }
      }
      return done;
    },
    async stop() {
      database.jobs = undefined;
      await boss.stop({ graceful: true, timeout: 3000 });
    },
  };
}
