import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

/** Work that ends when it is told to, and notes that it has begun. */
function work(begun: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  return {
    run: () => {
      begun.push(name);
      return promise;
    },
    end: () => resolve(name),
    fail: () => reject(new Error(name)),
  };
}
const settled = () => new Promise((done) => setImmediate(done));

test('so much work runs at once, and the rest in the order in which it came', async () => {
  const begun: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => work(begun, name));
  const semaphore = new Semaphore(2);
  const results = [a, b, c, d].map((one) => semaphore.run(one!.run));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  expect(semaphore.waiting).toBe(2);
  b!.end();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const one of [a, c, d]) one!.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  expect(semaphore.waiting).toBe(0);
});

test('work that fails gives its turn to the next', async () => {
  const begun: string[] = [];
  const [a, b] = [work(begun, 'a'), work(begun, 'b')];
  const semaphore = new Semaphore(1);
  const failing = semaphore.run(a.run);
  const next = semaphore.run(b.run);
  a.fail();
  await expect(failing).rejects.toThrow('a');
  b.end();
  expect(await next).toBe('b');
  expect(await semaphore.run(async () => 'free again')).toBe('free again');
});

test('work that has waited too long is not begun, and keeps nobody behind it', async () => {
  const begun: string[] = [];
  const [a, b, c] = [work(begun, 'a'), work(begun, 'b'), work(begun, 'c')];
  const semaphore = new Semaphore(1, 1);
  const running = semaphore.run(a.run);
  await expect(semaphore.run(b.run)).rejects.toMatchObject({ kind: 'unavailable' });
  a.end();
  await running;
  c.end();
  expect(await semaphore.run(c.run)).toBe('c');
  expect(begun).toEqual(['a', 'c']);
});
