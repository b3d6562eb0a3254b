import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** What work in a worker may use before it is stopped. */
interface Limits {
  /** Milliseconds of processor time, loading of the code not counted. */
  work: number;
  /** Megabytes of heap. */
  memory: number;
  /** Milliseconds for which the thread waits for the next work of its kind; for work on our own data only. */
  keep?: number;
}

/** The work was stopped because it used more than its limits. */
export class WorkerLimitExceeded extends Error {}

/** What a worker is asked. */
export interface WorkerRequest {
  module: string;
  name: string;
  input: unknown;
}

/** Messages of a worker: its code is loaded (with the milliseconds of a processor that took), or its work is done. */
export type WorkerMessage =
  | { loaded: number }
  | { result: unknown }
  | { failed: { message: string; failure?: string } };

/** Processor time that loading the code may take, which is ours and not the input's. */
const LOADING_LIMIT_MS = 20_000;
/** For a thread that neither works nor ends. No limit of work: on a busy machine a good file takes long by the clock. */
const STUCK_TIMEOUT_MS = 600_000;
const WATCH_INTERVAL_MS = 50;

const AT_ONCE = availableParallelism();
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a function of another module in a thread of its own, so that this one goes on serving.
 * @param module the module's address, `import.meta.url` of its own
 * @param name the function that it exports; takes and returns what can be cloned
 * @throws WorkerLimitExceeded, or an Error with `failure` where the function's own error has one
 */
export async function runInWorker<Result>(
  module: string,
  name: string,
  input: unknown,
  limits: Limits,
): Promise<Result> {
  if (running >= AT_ONCE) await new Promise<void>((go) => waiting.push(go));
  else running += 1;
  try {
    return await run<Result>(module, name, input, limits);
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}

/** Threads that wait for the next work of their module. */
const idle = new Map<string, Worker[]>();

async function run<Result>(module: string, name: string, input: unknown, limits: Limits): Promise<Result> {
  const worker = idle.get(module)?.pop() ?? startWorker(limits);
  worker.removeAllListeners();
  worker.ref();
  try {
    const result = await ask<Result>(worker, { module, name, input }, limits);
    if (limits.keep) keepWorker(module, worker, limits.keep);
    else await worker.terminate();
    return result;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

const startWorker = (limits: Limits): Worker =>
  new Worker(new URL('./worker-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: 32 },
    execArgv: [],
    env: {},
  });

function keepWorker(module: string, worker: Worker, keep: number): void {
  const others = idle.get(module) ?? [];
  const forget = () => {
    const place = others.indexOf(worker);
    if (place >= 0) others.splice(place, 1);
  };
  worker.removeAllListeners();
  worker.unref();
  worker.once('exit', forget);
  others.push(worker);
  idle.set(module, others);
  setTimeout(() => {
    if (!others.includes(worker)) return;
    forget();
    void worker.terminate();
  }, keep).unref();
}

function ask<Result>(worker: Worker, asked: WorkerRequest, limits: Limits): Promise<Result> {
  let most = Number.POSITIVE_INFINITY;
  let watch: NodeJS.Timeout | undefined;
  let stop: NodeJS.Timeout | undefined;
  return new Promise<Result>((resolve, reject) => {
    stop = setTimeout(() => reject(new WorkerLimitExceeded()), STUCK_TIMEOUT_MS);
    // A thread that was kept has worked before.
    void cpuTimeOf(worker).then((before) => (most = Math.min(most, before + LOADING_LIMIT_MS)));
    watch = setInterval(async () => {
      if ((await cpuTimeOf(worker)) > most) reject(new WorkerLimitExceeded());
    }, WATCH_INTERVAL_MS);
    worker.on('message', (told: WorkerMessage) => {
      if ('result' in told) resolve(told.result as Result);
      else if ('failed' in told)
        reject(Object.assign(new Error(told.failed.message), { failure: told.failed.failure }));
      else most = told.loaded + limits.work;
    });
    worker.once('error', (error) =>
      reject('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new WorkerLimitExceeded() : error),
    );
    worker.once('exit', () => reject(new WorkerLimitExceeded()));
    worker.postMessage(asked);
  }).finally(() => {
    clearInterval(watch);
    clearTimeout(stop);
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
