import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { findServingPortal, readOwner, recordOwner } from './folder-owner.ts';
import { lockFolder } from './open-database.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
const module = new URL('open-database.ts', import.meta.url).href;
const ownerModule = new URL('folder-owner.ts', import.meta.url).href;

/** A process that takes the lock of a folder and is killed before it releases it. */
async function crashIn(folder: string): Promise<void> {
  const script = `await (await import(${JSON.stringify(module)})).lockFolder(process.argv[1], () => {});
    (await import(${JSON.stringify(ownerModule)})).recordOwner(process.argv[1], 'serving', 'http://localhost:8081'); console.log('locked')`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await ended;
}

test('the folder of a killed process is taken over at once', async () => {
  const folder = join(root, 'killed');
  await crashIn(folder);
  expect(readOwner(folder)).toMatchObject({ state: 'serving', url: 'http://localhost:8081' });
  expect(findServingPortal(folder)).toBeUndefined();
  const onWait = vi.fn<() => void>();
  const release = await lockFolder(folder, onWait);
  expect(onWait).not.toHaveBeenCalled();
  await release();
});

test('a start waits for the process that has the folder, and fails if it does not stop', async () => {
  const folder = join(root, 'running');
  const release = await lockFolder(folder, () => undefined);
  await expect(lockFolder(folder, () => undefined, 0)).rejects.toThrow('in use by another process');
  const next = lockFolder(folder, () => void release());
  await (
    await next
  )();
});

test('a lock with an unknown owner is not taken over before it expires', async () => {
  const folder = join(root, 'elsewhere');
  const release = await lockFolder(folder, () => undefined);
  const file = join(folder, 'in-use.json');
  const owner = JSON.parse(readFileSync(file, 'utf8')) as object;
  writeFileSync(file, JSON.stringify({ ...owner, machine: 'another one', started: '1' }));
  await expect(lockFolder(folder, () => undefined, 0)).rejects.toThrow('in use by another process');
  await release();
  mkdirSync(join(folder, 'in-use.lock'));
  rmSync(file, { force: true });
  await expect(lockFolder(folder, () => undefined, 0)).rejects.toThrow('in use by another process');
});

test('a start gives up on a portal that serves, and names its URL', async () => {
  const folder = join(root, 'serving');
  const release = await lockFolder(folder, () => undefined);
  recordOwner(folder, 'serving', 'http://localhost:8081');
  // Without the rule it would wait for ever.
  await expect(lockFolder(folder, () => undefined, Infinity)).rejects.toThrow(
    `is in use by the portal at http://localhost:8081 (process ${process.pid}). Stop that one`,
  );
  recordOwner(folder, 'starting');
  await expect(lockFolder(folder, () => undefined, 0)).rejects.toThrow(
    `is in use by a portal that is starting (process ${process.pid}).`,
  );
  await release();
  expect(existsSync(join(folder, 'in-use.json'))).toBe(false);
});

test('a start waits for a portal that is stopping, however long', async () => {
  const folder = join(root, 'stopping');
  const release = await lockFolder(folder, () => undefined);
  recordOwner(folder, 'stopping');
  let checks = 0;
  // Each check of the clock is a minute later; before the fourth, the portal has stopped.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    checks += 1;
    if (checks === 3) void release();
    return checks * 60_000;
  });
  onTestFinished(() => clock.mockRestore());
  const onWait = vi.fn<() => void>();
  await (
    await lockFolder(folder, onWait, Infinity)
  )();
  expect(onWait).toHaveBeenCalledOnce();
});

test('a copy of a folder in use does not belong to the owner of the original', async () => {
  const folder = join(root, 'original');
  const release = await lockFolder(folder, () => undefined);
  recordOwner(folder, 'serving', 'http://localhost:8081');
  const copy = join(root, 'copy');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  expect(findServingPortal(folder)?.url).toBe('http://localhost:8081');
  expect(findServingPortal(copy)).toBeUndefined();
  const onWait = vi.fn<() => void>();
  await (
    await lockFolder(copy, onWait)
  )();
  expect(onWait).not.toHaveBeenCalled();
  await release();
});
