import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** What work aside may use before it is stopped. */
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

/** However busy the machine is, nobody waits longer than this. */
const LONGEST = 20_000;
const LOOK_EVERY = 50;

const AT_ONCE = availableParallelism();
let running = 0;
const waiting: (() => void)[] = [];

/**
 * Runs a function of another module in a thread of its own, so that this one goes on serving.
 * @param module the module's address, `import.meta.url` of its own
 * @param name the function that it exports; takes and returns what can be cloned
 * @throws LimitReached, or an Error with `failure` where the function's own error has one
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
  let watch: NodeJS.Timeout | undefined;
  let stop: NodeJS.Timeout | undefined;
  return new Promise<Result>((resolve, reject) => {
    stop = setTimeout(() => reject(new WorkerLimitExceeded()), LONGEST);
    worker.on('message', (told: WorkerMessage) => {
      if ('result' in told) resolve(told.result as Result);
      else if ('failed' in told)
        reject(Object.assign(new Error(told.failed.message), { failure: told.failed.failure }));
      else watch = watchWork(worker, told.loaded + limits.work, () => reject(new WorkerLimitExceeded()));
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

/** Measured in processor time and not by the clock: on a busy machine good files would fail. */
function watchWork(worker: Worker, most: number, onLimit: () => void): NodeJS.Timeout {
  return setInterval(async () => {
    try {
      const { user, system } = await worker.cpuUsage();
      if ((user + system) / 1000 > most) onLimit();
    } catch {
      // The worker is done.
    }
  }, LOOK_EVERY);
}
