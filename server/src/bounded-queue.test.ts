import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { BoundedQueue, type WorkOwner } from './bounded-queue.ts';
import { AppError } from './errors.ts';

const overloaded = () => new AppError('unavailable', { retryAfter: 5 });
const createQueue = (limits: Partial<ConstructorParameters<typeof BoundedQueue>[0]>) =>
  new BoundedQueue({ concurrency: 1, maxWaiting: 100, overloaded, ...limits });

const ownerOf = (school: number, person = 'head'): WorkOwner => ({ school, person });
const owner = ownerOf(1);

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

/** Runs work of these owners, one at a time after a first that keeps the slot, and returns the order of their starts. */
async function orderOfStarts(arrivals: readonly [name: string, owner: WorkOwner][]): Promise<string[]> {
  const queue = createQueue({});
  const started: string[] = [];
  const first = createWork([], 'first');
  const all = [queue.run(ownerOf(0), first.run)];
  for (const [name, arriving] of arrivals)
    all.push(
      queue.run(arriving, async () => {
        started.push(name);
        return name;
      }),
    );
  first.end();
  await Promise.all(all);
  return started;
}

test('work of one person beyond the concurrency waits and starts in the order in which it arrived', async () => {
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => createWork(started, name));
  const queue = createQueue({ concurrency: 2 });
  const results = [a, b, c, d].map((work) => queue.run(owner, work!.run));
  expect(started).toEqual(['a', 'b']);
  expect(queue.waitingCount).toBe(2);
  b!.end();
  await results[1];
  expect(started).toEqual(['a', 'b', 'c']);
  for (const work of [a, c, d]) work!.end();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd']);
  expect(queue.waitingCount).toBe(0);
});

test('schools take turns, and so do the people of a school', async () => {
  const [head, teacher, other] = [ownerOf(1), ownerOf(1, 'teacher'), ownerOf(2)];
  expect(
    await orderOfStarts([
      ['head 1', head],
      ['head 2', head],
      ['head 3', head],
      ['teacher 1', teacher],
      ['teacher 2', teacher],
      ['other 1', other],
      ['other 2', other],
      ['guest', { school: 'guests', person: '192.0.2.1' }],
    ]),
  ).toEqual(['head 1', 'other 1', 'guest', 'teacher 1', 'other 2', 'head 2', 'teacher 2', 'head 3']);
});

test('a school with running work waits while another school has none', async () => {
  const started: string[] = [];
  const [long, short, next, other] = ['long', 'short', 'next', 'other'].map((name) => createWork(started, name));
  const queue = createQueue({ concurrency: 2 });
  const all = [queue.run(ownerOf(1), long!.run), queue.run(ownerOf(1), short!.run)];
  all.push(queue.run(ownerOf(1), next!.run), queue.run(ownerOf(2), other!.run));
  short!.end();
  await all[1];
  expect(started).toEqual(['long', 'short', 'other']);
  for (const work of [long, next, other]) work!.end();
  await Promise.all(all);
});

test('one person has as much running and waiting work as the limits allow, and others have theirs', async () => {
  const started: string[] = [];
  const queue = createQueue({ concurrency: 3, perPerson: { running: 1, waiting: 2 } });
  const all = ['a', 'b', 'c', 'd'].map((name) => createWork(started, name));
  const accepted = all.slice(0, 3).map((work) => queue.run(owner, work.run));
  await expect(queue.run(owner, all[3]!.run)).rejects.toMatchObject({ kind: 'unavailable' });
  const colleague = createWork(started, 'colleague');
  accepted.push(queue.run(ownerOf(1, 'colleague'), colleague.run));
  expect(started).toEqual(['a', 'colleague']);
  all[0]!.end();
  await accepted[0];
  expect(started).toEqual(['a', 'colleague', 'b']);
  accepted.push(queue.run(owner, all[3]!.run));
  for (const work of [...all, colleague]) work.end();
  await Promise.all(accepted);
  expect(started).toEqual(['a', 'colleague', 'b', 'c', 'd']);
});

test('work that fails frees its slot', async () => {
  const [a, b] = [createWork([], 'a'), createWork([], 'b')];
  const queue = createQueue({});
  const failing = queue.run(owner, a.run);
  const next = queue.run(owner, b.run);
  a.fail();
  await expect(failing).rejects.toThrow('a');
  b.end();
  expect(await next).toBe('b');
});

test('work that finds the queue full of as much work of others is rejected and never starts', async () => {
  const started: string[] = [];
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => createWork(started, name));
  const queue = createQueue({ maxWaiting: 1 });
  const accepted = [queue.run(owner, a!.run), queue.run(owner, b!.run)];
  await expect(queue.run(owner, c!.run)).rejects.toMatchObject({ kind: 'unavailable' });
  await expect(queue.run(ownerOf(2), c!.run)).rejects.toMatchObject({ kind: 'unavailable' });
  for (const work of [a, b, d]) work!.end();
  await Promise.all(accepted);
  await queue.run(owner, d!.run);
  expect(started).toEqual(['a', 'b', 'd']);
});

test('in a full queue, the newest work of the school with most waiting gives way to another school', async () => {
  const started: string[] = [];
  const [a, b, c, other] = ['a', 'b', 'c', 'other'].map((name) => createWork(started, name));
  const queue = createQueue({ maxWaiting: 2 });
  const accepted = [queue.run(owner, a!.run), queue.run(owner, b!.run)];
  const newest = queue.run(owner, c!.run).catch((error: AppError) => error.kind);
  accepted.push(queue.run(ownerOf(2), other!.run));
  expect(await newest).toBe('unavailable');
  expect(queue.waitingCount).toBe(2);
  for (const work of [a, b, c, other]) work!.end();
  await Promise.all(accepted);
  expect(started.toSorted()).toEqual(['a', 'b', 'other']);
});

test('work that has waited too long never starts and does not block the queue', async () => {
  const started: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => createWork(started, name));
  const queue = createQueue({ maxWaitMs: 1 });
  const running = queue.run(owner, a!.run);
  await expect(queue.run(owner, b!.run)).rejects.toMatchObject({ kind: 'unavailable' });
  a!.end();
  expect(await running).toBe('a');
  c!.end();
  expect(await queue.run(owner, c!.run)).toBe('c');
  expect(started).toEqual(['a', 'c']);
});

test('a signal removes work that waits and lets work that has started finish', async () => {
  const started: string[] = [];
  const [a, b, c] = ['a', 'b', 'c'].map((name) => createWork(started, name));
  const queue = createQueue({});
  const disconnected = new AbortController();
  const running = queue.run(owner, a!.run, disconnected.signal);
  const waiting = queue.run(owner, b!.run, disconnected.signal);
  const next = queue.run(owner, c!.run);
  disconnected.abort(new Error('disconnected'));
  await expect(waiting).rejects.toThrow('disconnected');
  expect(started).toEqual(['a']);
  a!.end();
  expect(await running).toBe('a');
  c!.end();
  expect(await next).toBe('c');
  await expect(queue.run(owner, b!.run, disconnected.signal)).rejects.toThrow('disconnected');
  expect(started).toEqual(['a', 'c']);
});

test('work that has waited runs in the scope of its own request', async () => {
  const scopes = new AsyncLocalStorage<string>();
  const queue = createQueue({});
  const readScope = async () => scopes.getStore();
  const all = ['a', 'b', 'c'].map((name) => scopes.run(name, () => queue.run(owner, readScope)));
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c']);
});

/** What happens to a queue, and to the nth of the work that is there. */
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom('arrive', 'arrive', 'arrive', 'finish', 'fail', 'abort'),
    school: fc.integer({ min: 1, max: 4 }),
    person: fc.constantFrom('head', 'teacher', 'office'),
    nth: fc.nat(30),
  }),
  { maxLength: 80 },
);

interface Job {
  school: number;
  state: 'waiting' | 'running' | 'over';
  outcome: string | undefined;
  end: (error?: Error) => void;
  abort: () => void;
  settled: Promise<void>;
}

const limits = fc.record({
  concurrency: fc.integer({ min: 1, max: 3 }),
  maxWaiting: fc.integer({ min: 1, max: 12 }),
  perPerson: fc.option(
    fc.record({ running: fc.integer({ min: 1, max: 2 }), waiting: fc.integer({ min: 1, max: 4 }) }),
    {
      nil: undefined,
    },
  ),
});

test('no school waits for two turns of another, nothing is lost and the counts return to zero', async () => {
  await fc.assert(
    fc.asyncProperty(limits, steps, async ({ perPerson, ...rest }, all) => {
      const queue = createQueue({ ...rest, ...(perPerson ? { perPerson } : {}) });
      const jobs: Job[] = [];
      /** By a school without running work, and another: how often the other has started meanwhile. */
      const overtaken = new Map<string, number>();
      const inState = (state: Job['state'], school?: number) =>
        jobs.filter((job) => job.state === state && (school === undefined || job.school === school));
      const recordStart = (school: number) => {
        for (let other = 1; other <= 4; other += 1) {
          const key = `${other} by ${school}`;
          const isStarved = other !== school && inState('waiting', other).length > 0;
          if (!isStarved || inState('running', other).length > 0) overtaken.delete(key);
          else {
            overtaken.set(key, (overtaken.get(key) ?? 0) + 1);
            expect(overtaken.get(key)).toBeLessThanOrEqual(1);
          }
          overtaken.delete(`${school} by ${other}`);
        }
      };
      const arrive = (school: number, person: string) => {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const controller = new AbortController();
        const job: Job = {
          school,
          state: 'waiting',
          outcome: undefined,
          end: (error) => {
            job.state = 'over';
            if (error) reject(error);
            else resolve();
          },
          abort: () => controller.abort(new Error('aborted')),
          settled: Promise.resolve(),
        };
        jobs.push(job);
        const work = () => {
          recordStart(school);
          job.state = 'running';
          expect(inState('running').length).toBeLessThanOrEqual(rest.concurrency);
          return promise;
        };
        job.settled = queue.run(ownerOf(school, person), work, controller.signal).then(
          () => void (job.outcome = 'done'),
          (error: Error) => void (job.outcome = error.message),
        );
        void job.settled.then(() => (job.state = 'over'));
      };
      const settle = () => new Promise((resolve) => void setImmediate(resolve));
      for (const { kind, school, person, nth } of all) {
        const candidates = inState(kind === 'abort' ? 'waiting' : 'running');
        const job = candidates[nth % Math.max(1, candidates.length)];
        if (kind === 'arrive') arrive(school, person);
        else if (kind === 'abort') job?.abort();
        else job?.end(kind === 'fail' ? new Error('failed') : undefined);
        await settle();
        // Counting begins again when no work of a school waits, because it was aborted or rejected.
        for (const key of overtaken.keys())
          if (inState('waiting', Number(key.split(' ')[0])).length === 0) overtaken.delete(key);
        expect(queue.waitingCount).toBe(inState('waiting').length);
        expect(queue.waitingCount).toBeLessThanOrEqual(rest.maxWaiting);
      }
      for (let running = inState('running'); running.length > 0; running = inState('running')) {
        running[0]?.end();
        await settle();
      }
      await Promise.all(jobs.map(({ settled }) => settled));
      const outcomes = new Set(jobs.map(({ outcome }) => outcome));
      expect([...outcomes].every((outcome) => /^(done|failed|aborted|unavailable)$/.test(outcome ?? ''))).toBe(true);
      expect(queue.waitingCount).toBe(0);
      expect(queue.ownerCounts).toEqual({ schools: 0, people: 0 });
    }),
    { numRuns: 300 },
  );
});
