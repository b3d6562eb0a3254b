import { Worker } from 'node:worker_threads';
import { BoundedQueue } from '../bounded-queue.ts';
import { AppError } from '../http/errors.ts';

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
  /** Megabytes of heap. */
  heapMb: number;
  /** How many milliseconds the worker waits for the same task; only for tasks on our own data. */
  keepAliveMs?: number;
}

/** The limits for creating a file from our own data. */
export const FILE_LIMITS: Limits = { cpuMs: 15_000, heapMb: 160, keepAliveMs: 60_000 };

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

/** Two, whatever the number of processors: each may use all of its heap, and the process stays below 600 MB. */
const tasks = new BoundedQueue({
  concurrency: 2,
  maxWaiting: 60,
  overloaded: () => new AppError('unavailable', { retryAfter: 10 }),
});

/**
 * Runs a task in a worker thread, so that the main thread continues to serve requests.
 * @throws WorkerLimitExceeded, `unavailable` when too many tasks wait, or an Error with `failure` where the task's own error has one
 */
export const runInWorker = <Name extends TaskName>(
  task: Name,
  input: Task<Name>['input'],
  limits: Limits,
): Promise<Task<Name>['result']> => tasks.run(() => run({ task, input }, limits));

/** Workers that wait for the same task. */
const idle = new Map<TaskName, Worker[]>();

async function run<Name extends TaskName>(request: WorkerRequest<Name>, limits: Limits): Promise<Task<Name>['result']> {
  const worker = idle.get(request.task)?.pop() ?? startWorker(limits);
  worker.removeAllListeners();
  worker.ref();
  try {
    const result = await send(worker, request, limits);
    if (limits.keepAliveMs) keepAlive(request.task, worker, limits.keepAliveMs);
    else await worker.terminate();
    return result;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

/**
 * A worker reads untrusted input, so it gets no secrets: of the environment only the folder of Node's compile cache.
 */
const { NODE_COMPILE_CACHE } = process.env;
const WORKER_ENV = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

const startWorker = (limits: Limits): Worker =>
  new Worker(new URL('../worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 32 },
    execArgv: [],
    env: WORKER_ENV,
  });

function keepAlive(task: TaskName, worker: Worker, milliseconds: number): void {
  const workers = idle.get(task) ?? [];
  const remove = () => {
    const index = workers.indexOf(worker);
    if (index >= 0) workers.splice(index, 1);
  };
  worker.removeAllListeners();
  worker.unref();
  worker.once('exit', remove);
  workers.push(worker);
  idle.set(task, workers);
  setTimeout(() => {
    if (!workers.includes(worker)) return;
    remove();
    void worker.terminate();
  }, milliseconds).unref();
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
