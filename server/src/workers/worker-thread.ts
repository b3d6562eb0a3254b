import { parentPort } from 'node:worker_threads';
import type { WorkerMessage, WorkerRequest, WorkerTasks } from './worker-pool.ts';

/** The module of each task, loaded on first use. */
export type TaskLoaders = { [Name in keyof WorkerTasks]: () => Promise<WorkerTasks[Name]> };

/** Serves the requests of the worker pool; called once, in the worker. */
export function serveTasks(loaders: TaskLoaders): void {
  const port = parentPort;
  if (!port) throw new Error('This runs in a worker.');
  const report = (message: WorkerMessage) => port.postMessage(message);
  port.on('message', async ({ task, input }: WorkerRequest) => {
    try {
      const run = (await loaders[task]()) as (input: unknown) => unknown;
      const { user, system } = process.threadCpuUsage();
      report({ loaded: (user + system) / 1000 });
      report({ result: await run(input) });
    } catch (error) {
      const { message, failure } = error as Error & { failure?: string };
      report({ failed: { message, ...(failure ? { failure } : {}) } });
    }
  });
}
