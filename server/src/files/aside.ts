import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

/** What work aside may use before it is stopped. */
interface Limits {
  /** Milliseconds of processor time, loading of the code not counted. */
  work: number;
  /** Megabytes of heap. */
  memory: number;
}

/** The work was stopped because it used more than its limits. */
export class LimitReached extends Error {}

/** Messages of a worker: its code is loaded (with the milliseconds of a processor that took), or its work is done. */
export type Told = { loaded: number } | { result: unknown } | { failed: { message: string; failure?: string } };

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
export async function runAside<Result>(module: string, name: string, input: unknown, limits: Limits): Promise<Result> {
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

async function run<Result>(module: string, name: string, input: unknown, limits: Limits): Promise<Result> {
  const worker = new Worker(new URL('./aside.worker.ts', import.meta.url), {
    workerData: { module, name, input },
    resourceLimits: { maxOldGenerationSizeMb: limits.memory, maxYoungGenerationSizeMb: 32 },
    execArgv: [],
    env: {},
  });
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Result>((resolve, reject) => {
      const stop = setTimeout(() => reject(new LimitReached()), LONGEST);
      worker.once('exit', () => clearTimeout(stop));
      worker.on('message', (told: Told) => {
        if ('result' in told) resolve(told.result as Result);
        else if ('failed' in told) reject(Object.assign(new Error(told.failed.message), { failure: told.failed.failure }));
        else watch = watchWork(worker, told.loaded + limits.work, () => reject(new LimitReached()));
      });
      worker.once('error', (error) => reject('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? new LimitReached() : error));
      worker.once('exit', () => reject(new LimitReached()));
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
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
