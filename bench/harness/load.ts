import { Agent, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import autocannon from 'autocannon';
import type { ServerProcess } from './portal.ts';

/** A request of a load. */
export interface LoadRequest {
  /** Of its responses, where they are counted separately. */
  kind?: string;
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  /** In an open load the server may reject it as too many. */
  mayBeBusy?: true;
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
    requests: [{ setupRequest: (defaults) => ({ ...defaults, ...next() }) }],
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} responses were not 200, and ${result.errors} requests failed.`);
  const used = server.processorTime() - before;
  return { perSecond: result['2xx'] / result.duration, p99: result.latency.p99, processorTime: used / result['2xx'] };
}

/** The result of an open load. */
export interface OpenLoad {
  /** The milliseconds of each response since its request was due. */
  responses: { kind: string; milliseconds: number }[];
  /** The busy share of the machine's processors, including other processes: 0 to 1. */
  busy: number;
  /** The share of the machine's processors that the host gave to other machines: 0 to 1. */
  stolen: number;
}

/** Ticks of all processors since the machine started: busy, stolen by the host, and all. */
function readTicks(): { busy: number; stolen: number; all: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '';
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, value) => sum + value, 0);
  // Fields 4, 5 and 8 are idle, waiting for disk, and stolen: proc_stat(5).
  return { busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0), stolen: ticks[7] ?? 0, all };
}

const send = (agent: Agent, url: string, loadRequest: LoadRequest): Promise<void> => {
  const { method = 'GET', path, headers = {}, body, mayBeBusy } = loadRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200 || (mayBeBusy && response.statusCode === 503)
          ? resolve()
          : reject(new Error(`${path} returned ${response.statusCode}.`)),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
};

/**
 * Sends requests at random moments (a Poisson process) without waiting for responses. Response times start when the
 * request was due. Throws if a request fails.
 * @param servers the processes, which are used in turn
 */
export async function openLoad(
  servers: readonly ServerProcess[],
  perSecond: number,
  seconds: number,
  next: () => LoadRequest,
): Promise<OpenLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const responses: Promise<{ kind: string; milliseconds: number }>[] = [];
  const before = readTicks();
  const begin = performance.now();
  for (let due = begin; due < begin + seconds * 1000; due += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
    const delay = due - performance.now();
    if (delay > 0) await wait(delay);
    const { kind = '', ...loadRequest } = next();
    const since = due;
    const { url } = servers[responses.length % servers.length]!;
    const response = send(agent, url, loadRequest).then(() => ({ kind, milliseconds: performance.now() - since }));
    response.catch(() => undefined);
    responses.push(response);
  }
  // Lasts its full time even if no request is due.
  await wait(Math.max(0, begin + seconds * 1000 - performance.now()));
  const after = readTicks();
  const all = await Promise.all(responses);
  agent.destroy();
  const ticks = after.all - before.all;
  return { responses: all, busy: (after.busy - before.busy) / ticks, stolen: (after.stolen - before.stolen) / ticks };
}
