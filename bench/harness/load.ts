import autocannon from 'autocannon';
import { setTimeout as wait } from 'node:timers/promises';
import type { ServerProcess } from './server-process.ts';

/** A request of a load. */
export interface LoadRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Responses per second, the 99th percentile of their times, and the server's processor time per response, in milliseconds. */
export interface LoadResult {
  perSecond: number;
  p99: number;
  processorTime: number;
}

/** Sends requests through a number of connections for a number of seconds. Throws if one fails. */
export async function load(
  server: ServerProcess,
  connections: number,
  seconds: number,
  next: () => LoadRequest,
): Promise<LoadResult> {
  const before = server.processorTime();
  const result = await autocannon({
    url: server.url,
    connections,
    duration: seconds,
    requests: [{ setupRequest: (request) => ({ ...request, ...next() }) }],
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} responses were not 200, and ${result.errors} requests failed.`);
  const used = server.processorTime() - before;
  return {
    perSecond: result['2xx'] / result.duration,
    p99: result.latency.p99,
    processorTime: used / result['2xx'],
  };
}

/** Sends requests at a fixed rate, without waiting for responses, and returns the response times in milliseconds. */
export async function probe(perSecond: number, seconds: number, send: () => Promise<void>): Promise<number[]> {
  const times: Promise<number>[] = [];
  const begin = performance.now();
  for (let n = 0; n < perSecond * seconds; n += 1) {
    await wait(Math.max(0, begin + (n * 1000) / perSecond - performance.now()));
    const start = performance.now();
    times.push(send().then(() => performance.now() - start));
  }
  return Promise.all(times);
}
