import { Worker } from 'node:worker_threads';
import { BoundedQueue } from '../bounded-queue.ts';
import { AppError } from '../errors.ts';
import { currentOwner } from '../logging/request-scope.ts';

/**
 * The tasks that run in workers, by name. A module adds its own with `declare module`, and server/src/worker.ts names
 * their modules; a missing one does not compile. Input and result must be structured-cloneable.
 */
export interface WorkerTasks {}
type TaskName = keyof WorkerTasks;
type Task<Name extends TaskName> = WorkerTasks[Name] extends (input: infer Input) => infer Result
  ? { input: Input; result: Awaited<Result> }
  : never;

/** The resources that a task may use before it is stopped. */
interface Limits {
  /** Milliseconds of processor time, without loading the code. */
  cpuMs: number;
  /** For a task that reads an upload: the megabytes of heap of its worker, which ends with it. */
  uploadHeapMb?: number;
}

/** The limits for creating a file from our own data. */
export const FILE_LIMITS: Limits = { cpuMs: 15_000 };

/** The task was stopped because it used more than its limits. */
export class WorkerLimitExceeded extends Error {}

export interface WorkerRequest<Name extends TaskName = TaskName> {
  task: Name;
  input: Task<Name>['input'];
}

/**
 * Messages of a worker: its code is loaded (with the processor time used so far, in milliseconds), or its task is done.
 */
export type WorkerMessage =
  | { loaded: number }
  | { result: unknown }
  | { failed: { message: string; failure?: string } };

/** Processor time for loading the code, which does not depend on the input. */
const LOADING_LIMIT_MS = 20_000;
/** The last resort for a worker that hangs: on a busy machine a valid file can take long in real time. */
const HANG_TIMEOUT_MS = 600_000;
const CPU_CHECK_MS = 50;

/** Whatever the number of processors, because memory is the bound: the process stays below 600 MB. */
const MAX_WORKERS = 2;
/** The heap of a worker for our own data, which runs all of these tasks. */
const OWN_HEAP_MB = 256;
/** A worker that is larger after its task ends: with the code and fonts of all tasks it is smaller. */
const MAX_IDLE_MB = 160;
const MAX_IDLE_MS = 60_000;
/** The browser sends a rejected request again after this time. */
const RETRY_AFTER_S = 5;

/** One person uses one worker, so that the other is free for other people. */
const tasks = new BoundedQueue({
  concurrency: MAX_WORKERS,
  maxWaiting: 60,
  perPerson: { running: 1, waiting: 4 },
  overloaded: () => new AppError('busy', { retryAfter: RETRY_AFTER_S }),
});

/**
 * Runs a task in a worker thread, so that the main thread continues to serve requests. It takes the turn of the current
 * request or job.
 * @throws WorkerLimitExceeded, `busy` when too many tasks wait, or an Error with `failure` where the task's own error has one
 */
export const runInWorker = <Name extends TaskName>(
  task: Name,
  input: Task<Name>['input'],
  limits: Limits,
): Promise<Task<Name>['result']> => tasks.run(currentOwner(), () => run({ task, input }, limits));

interface IdleWorker {
  worker: Worker;
  timer: NodeJS.Timeout;
}

/** Workers for our own data that wait for any task, the longest idle first. */
const idle: IdleWorker[] = [];
let running = 0;

async function run<Name extends TaskName>(request: WorkerRequest<Name>, limits: Limits): Promise<Task<Name>['result']> {
  running += 1;
  try {
    const worker = await openWorker(limits);
    try {
      const result = await send(worker, request, limits);
      if (limits.uploadHeapMb === undefined && (await isSmall(worker))) addIdle(worker);
      else await worker.terminate();
      return result;
    } catch (error) {
      await worker.terminate();
      throw error;
    }
  } finally {
    running -= 1;
  }
}

async function openWorker({ uploadHeapMb }: Limits): Promise<Worker> {
  const warm = uploadHeapMb === undefined ? idle.at(-1) : undefined;
  if (warm) removeIdle(warm);
  // An upload takes the place of an idle worker.
  const [oldest] = idle;
  if (oldest && running + idle.length > MAX_WORKERS) await endIdle(oldest);
  const worker = warm?.worker ?? startWorker(uploadHeapMb ?? OWN_HEAP_MB);
  worker.removeAllListeners();
  worker.ref();
  return worker;
}

/**
 * A worker reads untrusted input, so it gets no secrets: of the environment only the folder of Node's compile cache.
 */
const { NODE_COMPILE_CACHE } = process.env;
const WORKER_ENV = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

const startWorker = (heapMb: number): Worker =>
  new Worker(new URL('../worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32 },
    execArgv: [],
    env: WORKER_ENV,
  });

async function isSmall(worker: Worker): Promise<boolean> {
  const { total_heap_size: heap, external_memory: external } = await worker.getHeapStatistics();
  return heap + external <= MAX_IDLE_MB * 1024 * 1024;
}

function addIdle(worker: Worker): void {
  const entry: IdleWorker = { worker, timer: setTimeout(() => void endIdle(entry), MAX_IDLE_MS).unref() };
  worker.removeAllListeners();
  worker.unref();
  worker.once('exit', () => removeIdle(entry));
  // Without a listener, an error would end the process.
  worker.on('error', () => undefined);
  idle.push(entry);
}

function removeIdle(entry: IdleWorker): void {
  clearTimeout(entry.timer);
  const index = idle.indexOf(entry);
  if (index >= 0) idle.splice(index, 1);
}

async function endIdle(entry: IdleWorker): Promise<void> {
  removeIdle(entry);
  await entry.worker.terminate();
}

function send(worker: Worker, request: WorkerRequest, limits: Limits): Promise<unknown> {
  let cpuLimit = Number.POSITIVE_INFINITY;
  let cpuCheck: NodeJS.Timeout | undefined;
  let hangTimeout: NodeJS.Timeout | undefined;
  return new Promise((resolve, reject) => {
    hangTimeout = setTimeout(() => reject(new WorkerLimitExceeded()), HANG_TIMEOUT_MS);
    // A reused worker has used processor time before.
    void cpuTimeOf(worker).then((before) => (cpuLimit = Math.min(cpuLimit, before + LOADING_LIMIT_MS)));
    cpuCheck = setInterval(async () => {
      if ((await cpuTimeOf(worker)) > cpuLimit) reject(new WorkerLimitExceeded());
    }, CPU_CHECK_MS);
    worker.on('message', (message: WorkerMessage) => {
      if ('result' in message) resolve(message.result);
      else if ('failed' in message)
        reject(Object.assign(new Error(message.failed.message), { failure: message.failed.failure }));
      else cpuLimit = message.loaded + limits.cpuMs;
    });
    worker.once('error', (error) =>
      reject('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkerLimitExceeded() : error),
    );
    worker.once('exit', () => reject(new WorkerLimitExceeded()));
    worker.postMessage(request);
  }).finally(() => {
    clearInterval(cpuCheck);
    clearTimeout(hangTimeout);
  });
}

/** Processor time that a thread has used, in milliseconds; 0 when it has just ended. */
async function cpuTimeOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
