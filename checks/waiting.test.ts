import { describe, expect, it } from 'vitest';
import journeys from '../playwright.config.ts';
import tests from '../vitest.config.ts';
import { inspectWaiting, MIN_TIMEOUT_MS } from './waiting.ts';

const findingsIn = (source: string, path = 'server/src/a.test.ts') => inspectWaiting({ [path]: source }).findings;

describe('inspectWaiting', () => {
  it.each([
    ['vi.waitFor', 'await vi.waitFor(() => read());', 'waits with vi.waitFor'],
    ['vi.waitUntil', 'await vi.waitUntil(() => isDone, 60_000);', 'waits with vi.waitUntil'],
    ['a short timeout', 'await expect.poll(read, { timeout: 2000 }).toBe(1);', 'timeout: 2000'],
    ['a short timeout of Testing Library', 'await waitFor(read, { timeout: 5000 });', 'timeout: 5000'],
    ['a short default', 'configure({ asyncUtilTimeout: 1000 });', 'asyncUtilTimeout: 1000'],
    [
      'a short timeout in a constant',
      'const LIMIT = 500;\nexpect(a).toBeVisible({ timeout: LIMIT });',
      'timeout: LIMIT',
    ],
    ['a timer', 'await new Promise((done) => setTimeout(done, 100));', 'sets a timer'],
    ['a global timer', 'globalThis.setTimeout(done, 100);', 'sets a timer'],
    ['a timer beside fake dates', "vi.useFakeTimers({ toFake: ['Date'] });\nsetTimeout(done, 100);", 'sets a timer'],
    ['a sleep', "import { setTimeout as sleep } from 'node:timers/promises';", 'imports a sleep'],
    ['a sleep of Playwright', 'await page.waitForTimeout(100);', 'waitForTimeout'],
    ['a measured duration', 'expect(performance.now() - start).toBeLessThan(200);', 'asserts a duration'],
    ['a duration in a variable', 'const a = Date.now() - b;\nexpect(a).toBeLessThanOrEqual(9);', 'asserts a duration'],
    [
      'a duration from a function',
      'function f() { return Date.now(); }\nexpect(f() - a).toBeLessThan(9);',
      'asserts a',
    ],
    [
      'a duration in two steps',
      'const a = Date.now(), b = a - c;\nexpect(b).toBeGreaterThan(9);',
      'asserts a duration',
    ],
    ['a name of a duration', 'expect(elapsedMs).toBeGreaterThanOrEqual(10);', 'asserts a duration'],
    ['a field of a duration', 'expect(answer.duration).toBeLessThan(10);', 'asserts a duration'],
  ])('finds %s', (_what, source, text) => {
    const [finding, ...others] = findingsIn(source);
    expect(finding).toContain(text);
    expect(finding).toMatch(/^server\/src\/a\.test\.ts:\d: /);
    expect(others).toEqual([]);
  });

  it.each([
    ['expect.poll', 'await expect.poll(read).toBe(1);'],
    ['waitFor and findBy of Testing Library', "await waitFor(read); await screen.findByText('a');"],
    ['a long timeout', 'await expect.poll(read, { timeout: 60_000 }).toBe(1);'],
    ['fake timers', 'vi.useFakeTimers();\nsetTimeout(done, 100);'],
    ['faked timeouts', "vi.useFakeTimers({ toFake: ['setTimeout'] });\nsetTimeout(done, 100);"],
    ['the limit of a journey', 'test.setTimeout(1000);'],
    ['a turn of the event loop', "import { setImmediate } from 'node:timers/promises';"],
    ['processor time', 'const { user } = process.cpuUsage();\nexpect(user).toBeLessThan(200_000);'],
    ['a comparison of dates', 'expect(now.getTime()).toBeLessThan(sent.getTime() + 14 * DAY_MS);'],
    ['a count', 'expect(rows.length).toBeGreaterThan(2);'],
  ])('allows %s', (_what, source) => {
    expect(findingsIn(source)).toEqual([]);
  });

  it.each([
    ['web/src/A.test.tsx', 1],
    ['web/src/testing/a.ts', 1],
    ['server/src/testing/a.ts', 1],
    ['e2e/a.spec.ts', 1],
    ['e2e/a.ts', 1],
    ['server/src/a.ts', 0],
    ['bench/a.ts', 0],
  ])('inspects %s: %i', (path, count) => {
    const { files, findings } = inspectWaiting({ [path]: 'setTimeout(work, 100);' });
    expect([files, findings.length]).toEqual([count, count]);
  });

  it('tolerates exactly the number that an exception names, with a reason', () => {
    const path = 'e2e/a.ts';
    const withException = (text: string) =>
      inspectWaiting({ [path]: 'setTimeout(work, 1);' }, { [path]: text }).findings;
    expect(withException('1: The driver has no events.')).toEqual([]);
    expect(withException('1: ')).toHaveLength(1);
    expect(withException('2: The driver has no events.')).toHaveLength(1);
    expect(inspectWaiting({}, { 'e2e/gone.ts': '1: The driver has no events.' }).findings).toHaveLength(1);
  });
});

it('the configurations of Vitest and Playwright set a timeout that is long enough', () => {
  const timeouts = [tests.test?.expect?.poll?.timeout, journeys.expect?.timeout];
  for (const timeout of timeouts) expect(timeout).toBeGreaterThanOrEqual(MIN_TIMEOUT_MS);
});
