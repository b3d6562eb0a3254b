import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPortal } from './testing/portal-process.ts';
import { reportToSystemd } from './watchdog.ts';

const folder = mkdtempSync(join(tmpdir(), 'portal-watchdog-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Answers `/v1/live` once `answer` is called. */
let answer: (status: number) => void;
let questions = 0;
let server: Server;
beforeEach(async () => {
  questions = 0;
  server = createServer((_request, reply) => {
    questions += 1;
    answer = (status) => void reply.writeHead(status).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterEach(async () => {
  vi.useRealTimers();
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const SYSTEMD = { NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '30000000', WATCHDOG_PID: String(process.pid) };

/** Reports this process, with a list in place of systemd. The interval of its signs of life is ten seconds. */
function report(environment: object) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const states: string[] = [];
  const errors: string[] = [];
  const reportStop = reportToSystemd(
    environment,
    `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    (error) => errors.push(error.message),
    async (state) => void states.push(state),
  );
  return { states, errors, reportStop, pass: () => vi.advanceTimersByTime(10_000) };
}

test('a process reports a sign of life only after it has answered /v1/live', async () => {
  const { states, pass } = report(SYSTEMD);
  expect(states).toEqual(['READY=1']);
  pass();
  await expect.poll(() => questions).toBe(1);
  pass();
  pass();
  expect(states).toEqual(['READY=1']);
  answer(200);
  await expect.poll(() => states).toEqual(['READY=1', 'WATCHDOG=1']);
  // One question at a time.
  expect(questions).toBe(1);
});

test('a process whose /v1/live fails reports no sign of life until it works again', async () => {
  const { states, errors, pass, reportStop } = report(SYSTEMD);
  pass();
  await expect.poll(() => questions).toBe(1);
  answer(500);
  await expect.poll(() => errors).toEqual([expect.stringContaining('answered 500')]);
  expect(states).toEqual(['READY=1']);
  pass();
  await expect.poll(() => questions).toBe(2);
  answer(200);
  await expect.poll(() => states).toEqual(['READY=1', 'WATCHDOG=1']);
  reportStop();
  expect(states.at(-1)).toBe('STOPPING=1');
});

test.each([
  ['without a watchdog, a process reports its start alone', { WATCHDOG_USEC: undefined }, ['READY=1']],
  ['with the watchdog of another process, a process reports its start alone', { WATCHDOG_PID: '1' }, ['READY=1']],
  ['without systemd, a process reports nothing', { NOTIFY_SOCKET: undefined }, []],
])('%s', (_title, change, expected) => {
  const { states } = report({ ...SYSTEMD, ...change });
  expect(states).toEqual(expected);
  expect(vi.getTimerCount()).toBe(0);
});

test('a portal reports start, life and stop through systemd-notify, and nothing while it hangs', async () => {
  const program = join(folder, 'systemd-notify');
  const log = join(folder, 'log');
  writeFileSync(program, `#!/bin/sh\necho "$1" >> '${log}'\n`);
  chmodSync(program, 0o755);
  const states = () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []);
  const portal = startPortal({
    DATA_DIR: join(folder, 'data'),
    PATH: `${folder}:${process.env.PATH}`,
    NOTIFY_SOCKET: '/run/systemd/notify',
    WATCHDOG_USEC: '1500000',
  });
  await portal.waitFor('API reference');
  await expect.poll(states).toContain('WATCHDOG=1');
  expect(states()[0]).toBe('READY=1');

  portal.kill('SIGSTOP');
  // Counts the time in signs of life of a process that does not hang: this one.
  const { port } = server.address() as AddressInfo;
  server.removeAllListeners('request').on('request', (_request, reply) => reply.end());
  let count = 0;
  const countUp = async () => void (count += 1);
  reportToSystemd(
    { NOTIFY_SOCKET: '/', WATCHDOG_USEC: '1500000' },
    `http://127.0.0.1:${port}`,
    () => undefined,
    countUp,
  );
  // One that was on its way has arrived by then.
  await expect.poll(() => count).toBeGreaterThan(2);
  const before = states().length;
  await expect.poll(() => count).toBeGreaterThan(6);
  expect(states()).toHaveLength(before);

  portal.kill('SIGCONT');
  await expect.poll(() => states().length).toBeGreaterThan(before);
  portal.kill('SIGTERM');
  expect(await portal.ended).toBe(0);
  await expect.poll(states).toContain('STOPPING=1');
});
