import { Agent, request } from 'node:http';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Asking } from './load.ts';

/** An answer of an open load: of which kind it was, and the milliseconds from the moment at which it was due to be asked. */
export interface Answered {
  kind: string;
  milliseconds: number;
}

/** What an open load found. */
export interface OpenLoad {
  answers: Answered[];
  /** The share of the machine's processors that was busy, with everything that runs on it: 0 to 1. */
  busy: number;
  /** The share of the machine's processors that its host gave to others when it wanted them: 0 to 1. */
  stolen: number;
}

/** Ticks of all processors since the machine started: busy ones, those that the host gave to others, and all. */
function readTicks(): { busy: number; stolen: number; all: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '';
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  const all = ticks.reduce((sum, value) => sum + value, 0);
  // Idle, idle with a disk to wait for, and stolen: proc_stat(5).
  return { busy: all - (ticks[3] ?? 0) - (ticks[4] ?? 0), stolen: ticks[7] ?? 0, all };
}

function send(agent: Agent, url: string, { method = 'GET', path, headers = {}, body }: Asking): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { agent, method, headers }, (response) => {
      response.resume();
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`${path} was answered ${response.statusCode}.`)),
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/**
 * Asks at random moments, so many a second on average, whether answers come or not, as people do who know nothing of each
 * other. An answer's time begins when it was due to be asked. Throws when one is not answered well.
 * @param urls of processes, which are asked in turn
 */
export async function openLoad(
  urls: readonly string[],
  perSecond: number,
  seconds: number,
  next: () => Asking & { kind: string },
): Promise<OpenLoad> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const answers: Promise<Answered>[] = [];
  const before = readTicks();
  const begin = performance.now();
  for (let due = begin; due < begin + seconds * 1000; due += (-Math.log(1 - Math.random()) * 1000) / perSecond) {
    const late = due - performance.now();
    if (late > 0) await wait(late);
    const { kind, ...asking } = next();
    const since = due;
    const url = urls[answers.length % urls.length] ?? '';
    const answered = send(agent, url, asking).then(() => ({ kind, milliseconds: performance.now() - since }));
    answered.catch(() => undefined);
    answers.push(answered);
  }
  // To the end, though nobody may ask any more.
  await wait(Math.max(0, begin + seconds * 1000 - performance.now()));
  const after = readTicks();
  const all = await Promise.all(answers);
  agent.destroy();
  const ticks = after.all - before.all;
  return { answers: all, busy: (after.busy - before.busy) / ticks, stolen: (after.stolen - before.stolen) / ticks };
}
