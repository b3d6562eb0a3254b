import autocannon from 'autocannon';
import { setTimeout as wait } from 'node:timers/promises';
import type { Served } from './processes.ts';

/** A request of a load. */
export interface Asking {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** What a load found: answers a second, the slowest but one in a hundred, and the server's processor time for an answer, in milliseconds. */
export interface Load {
  perSecond: number;
  p99: number;
  processorTime: number;
}

/** Sends requests one after the other over some connections for some seconds. Throws when one is not answered well. */
export async function load(server: Served, connections: number, seconds: number, next: () => Asking): Promise<Load> {
  const before = server.processorTime();
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} answers were not 200, ${result.errors} failed.`);
  const used = server.processorTime() - before;
  return {
    perSecond: result['2xx'] / result.duration,
    p99: result.latency.p99,
    processorTime: used / result['2xx'],
  };
}

/** Asks at a fixed pace, whether answers come or not, and gives the times of the answers in milliseconds. */
export async function probe(perSecond: number, seconds: number, askOnce: () => Promise<void>): Promise<number[]> {
  const times: Promise<number>[] = [];
  const begin = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await wait(Math.max(0, begin + (n * 1000) / perSecond - performance.now()));
    const start = performance.now();
    times.push(askOnce().then(() => performance.now() - start));
  }
  return Promise.all(times);
}
