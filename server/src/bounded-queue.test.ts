import { expect, test } from 'vitest';
import { BoundedQueue } from './bounded-queue.ts';
import { AppError } from './http/errors.ts';

const overloaded = () => new AppError('unavailable', { retryAfter: 5 });
const createQueue = (limits: { concurrency: number; maxWaiting?: number; maxWaitMs?: number }) =>
  new BoundedQueue({ maxWaiting: 10, ...limits, overloaded });

/** Work that records its start and that the test ends. */
function createWork(started: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    run: () => {
      started.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}

test('work beyond the concurrency waits and starts in the order in which it arrived', async () => {
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => createWork(started, name));
  const queue = createQueue({ concurrency: 2 });
  const results = [a, b, c, d].map((one) => queue.run(one!.run));
  expect(started).toEqual(['a', 'b']);
  expect(queue.waitingCount).toBe(2);
  b!.end();
  await results[1];
  expect(started).toEqual(['a', 'b', 'c']);
  for (const one of [a, c, d]) one!.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  expect(queue.waitingCount).toBe(0);
});

test('work that fails frees its slot', async () => {
  const [a, b] = [createWork([], 'a'), createWork([], 'b')];
  const queue = createQueue({ concurrency: 1 });
  const failing = queue.run(a.run);
  const next = queue.run(b.run);
  a.fail();
  await expect(failing).rejects.toThrow('a');
  b.end();
  expect(await next).toBe('b');
});

test('work that finds the queue full is rejected and never starts', async () => {
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => createWork(started, name));
  const queue = createQueue({ concurrency: 1, maxWaiting: 1 });
  const accepted = [queue.run(a!.run), queue.run(b!.run)];
  await expect(queue.run(c!.run)).rejects.toMatchObject({ kind: 'unavailable' });
  for (const one of [a, b, d]) one!.end();
  await Promise.all(accepted);
  await queue.run(d!.run);
  expect(started).toEqual(['a', 'b', 'd']);
});

test('work that has waited too long never starts and does not block the queue', async () => {
  const started: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => createWork(started, name));
  const queue = createQueue({ concurrency: 1, maxWaitMs: 1 });
  const running = queue.run(a!.run);
  await expect(queue.run(b!.run)).rejects.toMatchObject({ kind: 'unavailable' });
  a!.end();
  expect(await running).toBe('a');
  c!.end();
  expect(await queue.run(c!.run)).toBe('c');
  expect(started).toEqual(['a', 'c']);
});

test('a signal removes work that waits and lets work that has started finish', async () => {
  const started: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => createWork(started, name));
  const queue = createQueue({ concurrency: 1 });
  const disconnected = new AbortController();
  const running = queue.run(a!.run, disconnected.signal);
  const waiting = queue.run(b!.run, disconnected.signal);
  const next = queue.run(c!.run);
  disconnected.abort(new Error('disconnected'));
  await expect(waiting).rejects.toThrow('disconnected');
  expect(started).toEqual(['a']);
  a!.end();
  expect(await running).toBe('a');
  c!.end();
  expect(await next).toBe('c');
  await expect(queue.run(b!.run, disconnected.signal)).rejects.toThrow('disconnected');
  expect(started).toEqual(['a', 'c']);
});
