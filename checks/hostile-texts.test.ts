import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Message } from './hostile-texts.ts';

/** Far longer than a normal run; ends a worker that hangs in one pattern. */
const GIVES_UP_AFTER = 100_000;

/** The worker's findings, or the pattern in which it hung. */
function inspect(): Promise<Extract<Message, { slow: unknown }>> {
  const worker = new Worker(new URL('hostile-texts.ts', import.meta.url));
  let last = 'the first text';
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`No end after ${last}.`)), GIVES_UP_AFTER);
    worker.on('message', (message: Message) => {
      if ('trying' in message) last = message.trying;
      else resolve(message);
    });
    worker.on('error', reject);
    worker.on('exit', () => clearTimeout(limit));
  }).finally(() => worker.terminate()) as Promise<Extract<Message, { slow: unknown }>>;
}

test('no text field or pattern of the contract takes more than linear processor time', async () => {
  const { texts, patterns, slow, unbounded } = await inspect();
  expect(texts.length).toBeGreaterThan(50);
  expect(patterns.length).toBeGreaterThan(15);
  expect(slow).toEqual([]);
  expect(unbounded).toEqual([]);
});
