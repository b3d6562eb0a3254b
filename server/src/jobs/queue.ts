import { fromKysely, fromPglite, PgBoss, type WorkOptions } from 'pg-boss';
import type { Database } from '../database/database.ts';
import { withoutValues } from '../observability/loggable-error.ts';
import { currentRequest, runInRequest } from '../observability/request-scope.ts';
import { withPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
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
  const request = currentRequest();
  await db.jobs.send(db.tx, name, request ? { ...data, [REQUEST]: request.requestId } : data, options);
}

/** Lets a job that was given up be tried once more. False when there is no such job. */
export async function retryJob(db: PlatformDb, name: string, id: string): Promise<boolean> {
  if (!db.jobs) throw new Error('The job queue is not open.');
  return db.jobs.retry(db.tx, name, id);
}

/** Where a job keeps the id of the request that it is part of. */
const REQUEST = '_request_id';

/** Carries a job out as part of the request that wrote it; a job without one is a request of its own. */
function carryOut(job: Job, id: string, data: object): Promise<void> {
  const { [REQUEST]: requestId = id } = data as { [REQUEST]?: string };
  return runInRequest({ requestId }, () => job.run(data));
}

/** Seconds without a sign of life after which a job's process counts as gone; the process gives one each third of it. */
const HEARTBEAT_S = 15;
/** How often each process looks for jobs of processes that are gone: with the heartbeat well under a minute. */
const WATCH_S = 10;
/** No job takes longer. */
const LONGEST_JOB_S = 3600;

const QUEUE_OPTIONS = {
  retryBackoff: true,
  retryDelay: 5,
  heartbeatSeconds: HEARTBEAT_S,
  expireInSeconds: LONGEST_JOB_S,
};
/** Schedules are told in the time of the schools. */
const TIME_ZONE = 'Europe/London';

const NO_JOB = '00000000-0000-0000-0000-000000000000';

/** A try of a job that failed. */
export interface JobFailure {
  name: string;
  id: string;
  requestId: string;
  /** Without values: `withoutValues`. */
  error: object;
}

/** Makes the queues and schedules of the jobs what they are to be; what is so already, as at most starts, costs nothing. */
async function installQueues(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule]));
  for (const { name, schedule, retries = 5 } of jobs) {
    const options = { ...QUEUE_OPTIONS, retryLimit: retries };
    const queue = queues.get(name);
    const isSame = ([option, value]: [string, unknown]) => queue?.[option as keyof typeof options] === value;
    if (!Object.entries(options).every(isSame)) {
      if (queue) await boss.updateQueue(name, options);
      else await boss.createQueue(name, options);
      // Looks the queue up, which the library does once and keeps: inside a transaction of the embedded database,
      // which has one connection, the first job of a queue would wait for that look-up for ever.
      await boss.findJobs(name, { id: NO_JOB });
    }
    const planned = schedules.get(name);
    if (schedule && (planned?.cron !== schedule || planned.timezone !== TIME_ZONE))
      await boss.schedule(name, schedule, {}, { tz: TIME_ZONE });
  }
}

/**
 * Opens the queue of these jobs and makes `enqueue` work.
 * @param onError told when the queue itself fails
 * @param onFailure told of each try that fails
 */
export async function openQueue(
  database: Database,
  jobs: readonly Job[],
  onError: (error: Error) => void,
  onFailure: (failure: JobFailure) => void = () => undefined,
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
  await installQueues(boss, jobs);
  database.jobs = {
    async send(tx, name, data, options) {
      await boss.send(name, data, { ...options, db: fromKysely(tx) });
    },
    async retry(tx, name, id) {
      // The library looks an unknown queue up past the transaction, for which the embedded database would wait for ever.
      if (!jobs.some((job) => job.name === name)) return false;
      // The library's type leaves it out.
      const { affected } = (await boss.retry(name, id, { db: fromKysely(tx) })) as { affected: number };
      return affected > 0;
    },
  };
  /** What becomes of a failure: a line in the log, and what the job's row keeps, which holds no values either. */
  const noteFailure = (name: string, id: string, data: object, thrown: unknown): Error => {
    const { type, message, stack, ...details } = withoutValues(thrown);
    const { [REQUEST]: requestId = id } = data as { [REQUEST]?: string };
    onFailure({ name, id, requestId, error: { type, message, stack, ...details } });
    return Object.assign(new Error(message), details, { name: type, stack });
  };
  return {
    async work() {
      const options: WorkOptions = { pollingIntervalSeconds: 1, heartbeatRefreshSeconds: HEARTBEAT_S / 3 };
      for (const job of jobs)
        await boss.work(job.name, options, async (batch) => {
          for (const { id, data } of batch)
            await carryOut(job, id, data as object).catch((error: unknown) => {
              throw noteFailure(job.name, id, data as object, error);
            });
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
              await carryOut(job, id, data as object);
            } catch (error) {
              await boss.fail(job.name, id, noteFailure(job.name, id, data as object, error));
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
