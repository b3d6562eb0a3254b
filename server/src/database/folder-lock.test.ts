import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { lockFolder } from './open-database.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-lock-'));
afterAll(() => rmSync(root, { recursive: true }));
const module = new URL('open-database.ts', import.meta.url).href;

/** A process that takes the lock of a folder and is killed before it releases it. */
async function crashIn(folder: string): Promise<void> {
  const script = `await (await import(${JSON.stringify(module)})).lockFolder(process.argv[1], () => {}); console.log('locked')`;
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
  rmSync(file);
  await expect(lockFolder(folder, () => undefined, 0)).rejects.toThrow('in use by another process');
});
