import { fromKysely, fromPglite, type JobResult, PgBoss } from 'pg-boss';
import type { WorkOwner } from '../bounded-queue.ts';
import type { Database } from '../database/database.ts';
import { EMBEDDED_JOBS } from '../database/embedded.ts';
import { withoutValues } from '../logging/loggable-error.ts';
import { currentRequest, runInRequest } from '../logging/request-scope.ts';
import { inPlatform, withPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';
import type { SchoolDb } from '../database/school.ts';
import { correctFutureTimes } from './jobs.queries.ts';

/** The job that removes what is past its period, each night and when a book leaves the catalogue. */
export const RETENTION_JOB = 'cleaning';

/** The job that records the last numbers beside the backups. Only processes with `BACKUP_DIR` have it. */
export const LAST_NUMBERS_JOB = 'last-numbers';

/** A kind of background work, which has a queue of its own. A job may run twice, so `run` is idempotent. */
export interface Job<Data extends object = object> {
  name: string;
  /** Cron expression in London time, for work that starts on a schedule. */
  schedule?: string;
  /** Runs a scheduled job once, late, when no process was there at its time; false for work that people expect on time. */
  canRunLate?: boolean;
  /** Tries after the first; 5 when absent. */
  retries?: number;
  /** The first retry waits for one to two times as long, each later one for twice as long; 5 when absent. */
  retryDelaySeconds?: number;
  /** The longest delay before another try; without a limit when absent. */
  maxRetryDelaySeconds?: number;
  /** Jobs of this name that one process fetches together and runs at the same time; 1 when absent. */
  concurrency?: number;
  /** A job that runs for longer counts as failed and is tried again; an hour when absent. */
  maxSeconds?: number;
  /** How long a completed job is retained, and with it the time of the last success; a week when absent. */
  retainedDays?: number;
  /** @param signal fires when the process stops: the job should end, and is tried again */
  run(data: Data, signal?: AbortSignal): Promise<void>;
}

export interface Queue {
  /** Starts to run jobs in this process. */
  work(): Promise<void>;
  /**
   * Runs all waiting jobs in order and returns how many there were; for tests and tools. Throws what a job throws.
   * @param options.scheduled also starts each job that has a schedule
   */
  drain(options?: { scheduled?: boolean }): Promise<number>;
  /** Fetches no more jobs and aborts running ones, so that other processes take over. Jobs can still be enqueued. */
  endWork(): Promise<void>;
  /** Ends the work, waits for the end of running jobs, then stops. */
  stop(): Promise<void>;
}

/** Enqueues a job in the transaction of `db`: it runs after the commit, or never. */
export async function enqueue(
  db: SchoolDb | PlatformDb,
  name: string,
  data: object,
  options?: { startAfter?: Date; singletonKey?: string; priority?: number },
): Promise<void> {
  // The school's role has no access to the queue's tables.
  if ('schoolId' in db) return withPlatform(db, (platform) => enqueue(platform, name, data, options));
  if (!db.jobs) throw new Error('The job queue is not open.');
  const request = currentRequest();
  await db.jobs.send(db.tx, name, request ? { ...data, [REQUEST]: request.requestId } : data, options);
}

/** Schools of one transaction. The embedded database's only connection serves requests in between. */
const SCHOOLS_PER_TRANSACTION = 200;

/**
 * Enqueues jobs for schools, a page of them per transaction.
 * @param enqueuePage enqueues for the schools after an ID; returns the last school's ID, or undefined without any
 */
export async function enqueueForSchools(
  database: Database,
  signal: AbortSignal | undefined,
  enqueuePage: (db: PlatformDb, after: number, limit: number) => Promise<number | undefined>,
): Promise<void> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    signal?.throwIfAborted();
    const after: number = last;
    last = await inPlatform(database, (db) => enqueuePage(db, after, SCHOOLS_PER_TRANSACTION));
  }
}

/** Tries a failed job again. Returns false when the job is missing. */
export async function retryJob(db: PlatformDb, name: string, id: string): Promise<boolean> {
  if (!db.jobs) throw new Error('The job queue is not open.');
  return db.jobs.retry(db.tx, name, id);
}

/** The field of a job's data that stores the ID of the request that enqueued it. */
const REQUEST = '_request_id';

const requestIdOf = (id: string, data: object): string => (data as { [REQUEST]?: string })[REQUEST] ?? id;

/** A job takes the turns of the school that its data names. */
function ownerOfJob(name: string, data: object): WorkOwner {
  const { schoolId } = data as { schoolId?: unknown };
  return { school: typeof schoolId === 'number' ? schoolId : 'portal', person: `job ${name}` };
}

/** Runs a job under the ID of the request that enqueued it, or under its own ID. */
const runJob = (job: Job, id: string, data: object, signal: AbortSignal): Promise<void> =>
  runInRequest({ requestId: requestIdOf(id, data), owner: ownerOfJob(job.name, data) }, () => job.run(data, signal));

/** A process that sends no heartbeat for this long counts as dead; it sends three in this time. */
const HEARTBEAT_S = 15;
/** How often each process looks for jobs of dead processes; with the heartbeat well under a minute. */
const SUPERVISE_INTERVAL_S = 10;
const MAX_JOB_S = 3600;
const RETAINED_DAYS = 7;
const DAY_S = 86_400;
/** Time for running jobs to end after the port is closed; the process must be gone ten seconds after that. */
const STOP_TIMEOUT_MS = 3000;

const TIME_ZONE = 'Europe/London';

const NO_JOB_ID = '00000000-0000-0000-0000-000000000000';

/** A failed try of a job. */
interface JobFailure {
  name: string;
  id: string;
  requestId: string;
  /** Without values: `withoutValues`. */
  error: object;
}

/** How often a process looks for times in the future. */
const CORRECTION_INTERVAL_MS = 60_000;

/** Creates or updates the queues and schedules of the jobs, and ends those of retired jobs; unchanged ones need no statement. */
async function installQueues(boss: PgBoss, jobs: readonly Job[], isServer: boolean): Promise<void> {
  const queues = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]));
  const schedules = new Map((await boss.getSchedules()).map((schedule) => [schedule.name, schedule]));
  for (const job of jobs) {
    const {
      name,
      schedule,
      retries = 5,
      retryDelaySeconds = 5,
      maxRetryDelaySeconds,
      maxSeconds = MAX_JOB_S,
      canRunLate = false,
      retainedDays = RETAINED_DAYS,
    } = job;
    const options = {
      retryBackoff: true,
      heartbeatSeconds: HEARTBEAT_S,
      retryDelay: retryDelaySeconds,
      ...(maxRetryDelaySeconds === undefined ? {} : { retryDelayMax: maxRetryDelaySeconds }),
      retryLimit: retries,
      expireInSeconds: maxSeconds,
      deleteAfterSeconds: retainedDays * DAY_S,
    };
    const queue = queues.get(name);
    const isSame = ([option, value]: [string, unknown]) => queue?.[option as keyof typeof options] === value;
    if (!Object.entries(options).every(isSame)) {
      if (queue) await boss.updateQueue(name, options);
      else await boss.createQueue(name, options);
      // Makes the library cache the queue: looking it up within a transaction would deadlock the embedded database,
      // which has one connection.
      await boss.findJobs(name, { id: NO_JOB_ID });
    }
    const planned = schedules.get(name);
    const missed = canRunLate ? 'once' : 'skip';
    const isPlanned = planned?.cron === schedule && planned?.timezone === TIME_ZONE;
    if (schedule && !(isPlanned && (planned?.options?.missed ?? 'skip') === missed))
      await boss.schedule(name, schedule, {}, { tz: TIME_ZONE, missed });
  }
  // `npm run move` copies the queue of the embedded database, and no process of a server would run these.
  if (isServer) for (const name of EMBEDDED_JOBS) if (queues.has(name)) await boss.deleteQueue(name);
}

/**
 * Opens the queues of these jobs, which `enqueue` needs.
 * @param onError receives failures of the queue itself
 * @param options.onFailure receives each failed try of a job
 * @param options.followsClock enqueues the scheduled jobs when they are due
 */
export async function openQueue(
  database: Database,
  jobs: readonly Job[],
  onError: (error: Error) => void,
  {
    onFailure = () => undefined,
    followsClock = false,
  }: { onFailure?: (failure: JobFailure) => void; followsClock?: boolean } = {},
): Promise<Queue> {
  const { engine } = database;
  const settings = {
    schedule: followsClock,
    superviseIntervalSeconds: SUPERVISE_INTERVAL_S,
    monitorIntervalSeconds: SUPERVISE_INTERVAL_S,
  };
  const boss =
    engine.kind === 'embedded'
      ? new PgBoss({ ...settings, db: fromPglite(engine.pglite), backend: 'pglite' })
      : new PgBoss({
          ...settings,
          db: { executeSql: (text: string, values?: unknown[]) => engine.ownerPool.query(text, values) },
        });
  boss.on('error', onError);
  await boss.start();
  await installQueues(boss, jobs, engine.kind === 'server');
  const correct = () => correctFutureTimes(boss.getDb()).catch(onError);
  if (followsClock) await correct();
  const correction = followsClock ? setInterval(() => void correct(), CORRECTION_INTERVAL_MS).unref() : undefined;
  database.jobs = {
    has: (name) => jobs.some((job) => job.name === name),
    async send(tx, name, data, options) {
      await boss.send(name, data, { ...options, db: fromKysely(tx) });
    },
    async retry(tx, name, id) {
      // The library looks up an unknown queue outside the transaction, which would deadlock the embedded database.
      if (!this.has(name)) return false;
      // The library's type omits this field.
      const { affected } = (await boss.retry(name, id, { db: fromKysely(tx) })) as { affected: number };
      return affected > 0;
    },
  };
  const stopping = new AbortController();
  /** Reports a failure and returns the error to store in the job's row, both without values. */
  const recordFailure = (name: string, id: string, data: object, thrown: unknown): Error => {
    const { type, message, stack, ...details } = withoutValues(thrown);
    onFailure({ name, id, requestId: requestIdOf(id, data), error: { type, message, stack, ...details } });
    return Object.assign(new Error(message), details, { name: type, stack });
  };
  const abortJobs = () => stopping.abort(new Error('The process is stopping.'));
  return {
    async work() {
      for (const job of jobs) {
        const options = {
          pollingIntervalSeconds: 1,
          heartbeatRefreshSeconds: HEARTBEAT_S / 3,
          batchSize: job.concurrency ?? 1,
          burstWhenBatchFull: true,
          perJobResults: true,
        } as const;
        await boss.work(job.name, options, (batch) =>
          Promise.all(
            batch.map(async ({ id, data, signal }): Promise<JobResult> => {
              try {
                await runJob(job, id, data as object, AbortSignal.any([signal, stopping.signal]));
                return { id, status: 'completed' };
              } catch (error) {
                return { id, status: 'failed', output: recordFailure(job.name, id, data as object, error) };
              }
            }),
          ),
        );
      }
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
              await runJob(job, id, data as object, stopping.signal);
            } catch (error) {
              await boss.fail(job.name, id, recordFailure(job.name, id, data as object, error));
              throw error;
            }
            await boss.complete(job.name, id);
          }
      }
      return done;
    },
    async endWork() {
      abortJobs();
      await Promise.all(jobs.map(({ name }) => boss.offWork(name)));
    },
    async stop() {
      database.jobs = undefined;
      clearInterval(correction);
      abortJobs();
      await boss.stop({ graceful: true, timeout: STOP_TIMEOUT_MS });
    },
  };
}
