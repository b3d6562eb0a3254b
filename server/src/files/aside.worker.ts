import { parentPort, workerData } from 'node:worker_threads';
import type { Told } from './aside.ts';

const tell = (told: Told) => parentPort?.postMessage(told);
const { module, name, input } = workerData as { module: string; name: string; input: unknown };
const work = ((await import(module)) as Record<string, (input: unknown) => unknown>)[name];
if (!work) throw new Error(`${module} exports no ${name}.`);
const { user, system } = process.threadCpuUsage();
tell({ loaded: (user + system) / 1000 });
try {
  tell({ result: await work(input) });
} catch (error) {
  const { message, failure } = error as Error & { failure?: string };
  tell({ failed: { message, ...(failure ? { failure } : {}) } });
}
