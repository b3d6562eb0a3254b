import { Worker } from 'node:worker_threads';
import { AppError } from '../http/errors.ts';

/**
 * The tasks that run in workers, by name. A module adds its own with `declare module`, and server/src/worker.ts
 * says where each is found; one that it misses does not compile. Input and result are what can be cloned.
 */
export interface WorkerTasks {}
type TaskName = keyof WorkerTasks;
type Task<Name extends TaskName> = WorkerTasks[Name] extends (input: infer Input) => infer Result
  ? { input: Input; result: Awaited<Result> }
  : never;

/** What a task may use before it is stopped. */
interface Limits {
  /** Milliseconds of processor time, loading of the code not counted. */
  cpuMs: number;
  /** Megabytes of heap. */
  heapMb: number;
  /** Milliseconds for which the worker waits for the same task again; only for tasks on our own data. */
  keepAliveMs?: number;
}

/** What making a file of our own data may use. */
export const FILE_LIMITS: Limits = { cpuMs: 15_000, heapMb: 160, keepAliveMs: 60_000 };

/** The task was stopped because it used more than its limits. */
export class WorkerLimitExceeded extends Error {}

export interface WorkerRequest<Name extends TaskName = TaskName> {
  task: Name;
  input: Task<Name>['input'];
}

/** Messages of a worker: its code is loaded (with the milliseconds of a processor that took), or its task is done. */
export type WorkerMessage =
  | { loaded: number }
  | { result: unknown }
  | { failed: { message: string; failure?: string } };

/** Processor time that loading the code may take, which is ours and not the input's. */
const LOADING_LIMIT_MS = 20_000;
/** A last resort against a worker that neither works nor ends: on a busy machine a good file takes long by the clock. */
const HANG_TIMEOUT_MS = 600_000;
const CPU_CHECK_MS = 50;

/** Few, whatever the number of processors: each may use all of its heap, and the process stays below 600 MB. */
const MAX_RUNNING = 2;
const MAX_WAITING = 60;
const RETRY_AFTER_SECONDS = 10;
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a task in a thread of its own, so that this one goes on serving.
 * @throws WorkerLimitExceeded, too_many_requests when too many tasks wait, or an Error with `failure` where the task's own error has one
 */
export async function runInWorker<Name extends TaskName>(
  task: Name,
  input: Task<Name>['input'],
  limits: Limits,
): Promise<Task<Name>['result']> {
  if (running >= MAX_RUNNING) {
    if (waiting.length >= MAX_WAITING) throw new AppError('too_many_requests', { retryAfter: RETRY_AFTER_SECONDS });
    await new Promise<void>((start) => waiting.push(start));
  } else running += 1;
  try {
    return await run({ task, input }, limits);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Workers that wait for their task to come again. */
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

/** A worker reads what strangers send and gets no secret; of the settings only where Node keeps the code that it compiled. */
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
    // A worker that was kept alive has used some time before.
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

/** Milliseconds of a processor that a thread has used; none when it has just ended. */
async function cpuTimeOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    return 0;
  }
}
