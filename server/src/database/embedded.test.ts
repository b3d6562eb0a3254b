import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import {
  assertDiskSpace,
  EMBEDDED_POSTGRES,
  explainEmbeddedFailure,
  lockFolder,
  openEmbeddedFolder,
} from './embedded.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-folder-'));
afterAll(() => rmSync(root, { recursive: true }));

const ignore = () => undefined;

test('a start on a data folder that another process uses fails with the ways out', async () => {
  const folder = join(root, 'used');
  const release = await lockFolder(folder, ignore);
  await expect(lockFolder(folder, ignore, 0)).rejects.toThrow(
    `Another process uses the data folder ${folder}. Stop that process, choose another DATA_DIR, or set DATABASE_URL`,
  );
  await release();
});

test('a start waits for the process that uses the data folder to stop', async () => {
  const folder = join(root, 'stopping');
  const release = await lockFolder(folder, ignore);
  const onWait = vi.fn<() => void>(() => void release());
  await (
    await lockFolder(folder, onWait)
  )();
  expect(onWait).toHaveBeenCalledOnce();
});

test('the data folder of a killed process is taken over once its lock has expired', async () => {
  const folder = join(root, 'killed');
  const module = JSON.stringify(new URL('embedded.ts', import.meta.url).href);
  const script = `await (await import(${module})).lockFolder(process.argv[1], () => {}); setInterval(() => {}, 1000); console.log('locked')`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((done) => child.stdout.once('data', done));
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGKILL');
  await ended;
  await expect(lockFolder(folder, ignore, 0)).rejects.toThrow('Another process uses the data folder');
  const expired = new Date(Date.now() - 16_000);
  utimesSync(join(folder, 'in-use.lock'), expired, expired);
  await (
    await lockFolder(folder, ignore, 0)
  )();
});

test('an embedded database whose creation was interrupted is created again', async () => {
  const folder = join(root, 'new');
  const postgres = join(folder, 'postgres');
  mkdirSync(postgres, { recursive: true });
  writeFileSync(join(postgres, 'PG_VERSION'), '1');
  await expect(openEmbeddedFolder(folder)).rejects.toThrow('has the format of PostgreSQL 1');
  writeFileSync(join(folder, 'postgres-incomplete'), '');
  const database = await openEmbeddedFolder(folder);
  await database.close();
  expect(existsSync(join(folder, 'postgres-incomplete'))).toBe(false);
  expect(readFileSync(join(postgres, 'PG_VERSION'), 'utf8').trim()).toBe(EMBEDDED_POSTGRES);
});

test('an embedded database that cannot be opened is reported as damaged', async () => {
  const folder = join(root, 'damaged');
  mkdirSync(join(folder, 'postgres'), { recursive: true });
  writeFileSync(join(folder, 'postgres', 'PG_VERSION'), EMBEDDED_POSTGRES);
  await expect(openEmbeddedFolder(folder)).rejects.toThrow(`The database in ${folder} cannot be opened (`);
});

test('a start without enough disk space fails before the embedded database is opened', () => {
  expect(() => assertDiskSpace('/data', 199_999_999, true)).toThrow(
    'The disk of /data has too little space: 199 MB are free and a start needs 200 MB. Free some space, or choose a DATA_DIR on another disk.',
  );
  expect(() => assertDiskSpace('/data', 200_000_000, true)).not.toThrow();
  expect(() => assertDiskSpace('/data', 49_999_999, false)).toThrow('a start needs 50 MB');
  expect(() => assertDiskSpace('/data', 50_000_000, false)).not.toThrow();
});

test.each([
  [{ code: '53100', message: 'could not extend file "base/5/17075"' }, 'The disk of /data is full'],
  [{ message: 'could not write to file "pg_wal/xlogtemp.42": No space left on device' }, 'The disk of /data is full'],
  [{ code: 'XX001', message: 'invalid page in block 3' }, 'It is damaged'],
  [{ code: '58P01', message: 'could not open file "base/5/1259"' }, 'It is damaged'],
  [{ message: 'Aborted(). Build with -sASSERTIONS for more info.' }, 'cannot be opened (Aborted()). It is damaged'],
  [{ errno: 44 }, 'cannot be opened (error 44). It is damaged'],
  [undefined, 'cannot be opened (unknown error). It is damaged'],
])('a start that failed with %j is explained', (error, text) => {
  expect(explainEmbeddedFailure(error, '/data')?.message).toContain(text);
});

test('a start that fails for another reason than damage or a full disk reports the original error', () => {
  expect(explainEmbeddedFailure(new Error('Migration 0042 failed.'), '/data')).toBeUndefined();
});
