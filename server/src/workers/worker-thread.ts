import { parentPort } from 'node:worker_threads';
import type { WorkerRequest, WorkerMessage } from './worker-pool.ts';

const port = parentPort;
if (!port) throw new Error('This runs in a worker.');
const tell = (told: WorkerMessage) => port.postMessage(told);

port.on('message', async ({ module, name, input }: WorkerRequest) => {
  try {
    const work = ((await import(module)) as Record<string, (input: unknown) => unknown>)[name];
    if (!work) throw new Error(`${module} exports no ${name}.`);
    const { user, system } = process.threadCpuUsage();
    tell({ loaded: (user + system) / 1000 });
    tell({ result: await work(input) });
  } catch (error) {
    const { message, failure } = error as Error & { failure?: string };
    tell({ failed: { message, ...(failure ? { failure } : {}) } });
  }
});
