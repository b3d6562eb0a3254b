import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock } from 'proper-lockfile';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { nameBackup } from './backup-folder.ts';
import { takeOffSite } from './off-site.jobs.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-off-site-'));
afterAll(() => rmSync(root, { recursive: true }));

const NOW = new Date('2026-11-10T06:15:00.000Z');

let folder: string;
let log: { fields: object; message: string }[];
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'));
  log = [];
});

/** Writes an encrypted backup of a night in November. */
function addBackup(day: number): string {
  const name = nameBackup(new Date(Date.UTC(2026, 10, day, 2, 15)), { isEncrypted: true });
  writeFileSync(join(folder, name), 'age-encryption.org/v1\n');
  return name;
}

let programs = 0;
function makeProgram(script: string): string {
  const path = join(root, `program-${(programs += 1)}`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A program that adds the path it receives to a list. */
const taking = (list: string) => makeProgram(`echo "$1" >> '${list}'`);
const readLines = (path: string): string[] => (existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []);
const run = (program: string, options?: { timeoutMs?: number; signal?: AbortSignal }) =>
  takeOffSite(folder, program, NOW, (fields, message) => void log.push({ fields, message }), options);

test('each backup is offered to BACKUP_HOOK until the program takes it, and not again', async () => {
  const list = join(root, 'once');
  const first = addBackup(1);
  await run(taking(list));
  const second = addBackup(2);
  await run(taking(list));
  await run(taking(list));
  expect(readLines(list)).toEqual([first, second].map((name) => join(folder, name)));
});

test('after a week of failures of BACKUP_HOOK all seven backups are taken once, the newest first', async () => {
  const failing = makeProgram('echo "no route to host"; exit 3');
  const names: string[] = [];
  for (let day = 1; day <= 7; day += 1) {
    names.unshift(addBackup(day));
    await expect(run(failing)).rejects.toThrow(`BACKUP_HOOK failed for ${names[0]}: exit code 3`);
  }
  expect(log.at(-1)).toEqual({
    fields: { file: names.at(-1), outcome: 'exit code 3', output: 'no route to host' },
    message: 'backup not taken off-site',
  });
  const list = join(root, 'week');
  await run(taking(list));
  await run(taking(list));
  expect(readLines(list)).toEqual(names.map((name) => join(folder, name)));
});

test('a run of BACKUP_HOOK offers no more than the newest seven backups', async () => {
  for (let day = 1; day <= 9; day += 1) addBackup(day);
  const list = join(root, 'bounded');
  await run(taking(list));
  expect(readLines(list)).toHaveLength(7);
});

test('a backup from the future is offered to BACKUP_HOOK after the others', async () => {
  const future = addBackup(25);
  const names = [3, 2, 1].map(addBackup);
  const list = join(root, 'future');
  await run(taking(list));
  expect(readLines(list)).toEqual([...names, future].map((name) => join(folder, name)));
});

test('a backup that BACKUP_HOOK rejects does not delay the others, and is offered again', async () => {
  const [older, rejected, newer] = [addBackup(1), addBackup(2), addBackup(3)];
  const list = join(root, 'rejected');
  const rejecting = makeProgram(`case "$1" in *${rejected}) exit 1;; esac; echo "$1" >> '${list}'`);
  await expect(run(rejecting)).rejects.toThrow(rejected);
  await run(taking(list));
  expect(readLines(list)).toEqual([newer, older, rejected].map((name) => join(folder, name)));
});

test('a BACKUP_HOOK that hangs is killed with the programs that it started', async () => {
  addBackup(1);
  const pid = join(root, 'pid');
  const hanging = makeProgram(`sleep 600 & echo $! > '${pid}'; wait`);
  await expect(run(hanging, { timeoutMs: 200 })).rejects.toThrow('it took too long');
  const isRunning = () => {
    const stat = `/proc/${readFileSync(pid, 'utf8').trim()}/stat`;
    // A process that was killed stays as a zombie until its parent collects it.
    return existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'));
  };
  await expect.poll(isRunning).toBe(false);
});

test('a process that stops ends BACKUP_HOOK, and the backup is offered again', async () => {
  addBackup(1);
  const signal = AbortSignal.abort(new Error('The process is stopping.'));
  await expect(run(makeProgram('sleep 600'), { signal })).rejects.toThrow('The process is stopping.');
  const list = join(root, 'stopped');
  await run(taking(list));
  expect(readLines(list)).toHaveLength(1);
});

test('a BACKUP_HOOK that leaves a process in the background with its output open has ended', async () => {
  addBackup(1);
  await run(makeProgram('sleep 5 & exit 0'), { timeoutMs: 60_000 });
  expect(log.at(-1)?.message).toBe('backup taken off-site');
});

test('BACKUP_HOOK receives the folder of the backups and no secrets', async () => {
  addBackup(1);
  vi.stubEnv('SECRETS_KEY', 'k'.repeat(32));
  vi.stubEnv('DATABASE_URL', 'postgres://portal:secret@127.0.0.1/portal');
  const list = join(root, 'environment');
  await run(makeProgram(`env > '${list}'; pwd >> '${list}'`)).finally(() => vi.unstubAllEnvs());
  const text = readFileSync(list, 'utf8');
  expect(text).not.toMatch(/SECRETS_KEY|DATABASE_URL/);
  expect(readLines(list)).toContain(`BACKUP_DIR=${folder}`);
  expect(readLines(list).at(-1)).toBe(folder);
});

test('the log contains only the end of what BACKUP_HOOK prints', async () => {
  addBackup(1);
  await run(makeProgram('yes | head -c 100000; echo end'));
  const { output } = log.at(-1)!.fields as { output: string };
  expect(output.length).toBeLessThanOrEqual(2000);
});

test('a BACKUP_HOOK that cannot be started fails the job', async () => {
  addBackup(1);
  await expect(run(join(root, 'missing'))).rejects.toThrow('it cannot be started (ENOENT)');
});

test('two processes do not offer the same backup to BACKUP_HOOK at the same time', async () => {
  addBackup(1);
  const release = await lock(folder, { lockfilePath: join(folder, 'off-site.txt.lock') });
  const list = join(root, 'both');
  await expect(run(taking(list))).rejects.toThrow('BACKUP_HOOK is running in another process.');
  expect(readLines(list)).toEqual([]);
  await release();
  await run(taking(list));
  expect(readLines(list)).toHaveLength(1);
});

test('the record of off-site backups names none that was deleted', async () => {
  const deleted = addBackup(1);
  await run(makeProgram('exit 0'));
  rmSync(join(folder, deleted));
  const second = addBackup(2);
  await run(makeProgram('exit 0'));
  expect(readLines(join(folder, 'off-site.txt'))).toEqual([second]);
});
