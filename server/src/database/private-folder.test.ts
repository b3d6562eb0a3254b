import { chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { testSettings } from '../testing/test-settings.ts';
import { openDatabase } from './open-database.ts';
import { securePrivateFolder } from './private-folder.ts';

const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const previous = process.umask();
let folder: string;

beforeAll(() => {
  process.umask(0o022);
  folder = join(mkdtempSync(join(tmpdir(), 'private-')), 'data');
});
afterAll(() => void process.umask(previous));

test('a new data folder and files created there afterwards belong to the account alone', async () => {
  await securePrivateFolder(folder);
  mkdirSync(join(folder, 'outbox'));
  writeFileSync(join(folder, 'outbox', '1.eml'), 'a reset link');
  expect([mode(folder), mode(join(folder, 'outbox')), mode(join(folder, 'outbox', '1.eml'))]).toEqual([
    '700',
    '700',
    '600',
  ]);
});

test('files that an earlier start left readable are made private, and the targets of links are not', async () => {
  const outside = join(folder, '..', 'shared.txt');
  writeFileSync(outside, 'not of the portal');
  chmodSync(outside, 0o644);
  symlinkSync(outside, join(folder, 'link'));
  mkdirSync(join(folder, 'postgres', 'base'), { recursive: true });
  writeFileSync(join(folder, 'postgres', 'base', '1'), 'rows');
  for (const path of ['', 'postgres', 'postgres/base']) chmodSync(join(folder, path), 0o755);
  chmodSync(join(folder, 'postgres/base/1'), 0o666);
  await securePrivateFolder(folder);
  expect(['', 'postgres', 'postgres/base', 'postgres/base/1'].map((path) => mode(join(folder, path)))).toEqual([
    '700',
    '700',
    '700',
    '600',
  ]);
  expect(mode(outside)).toBe('644');
});

test('each start makes the data folder private', async () => {
  chmodSync(folder, 0o755);
  const settings = { ...testSettings, DATA_DIR: folder, DATABASE_URL: 'postgres://portal@127.0.0.1:1/none' };
  const ignore = () => undefined;
  // Nothing connects before the first statement.
  const { database } = await openDatabase(readConfig(settings), ignore, ignore);
  await database.close();
  expect(mode(folder)).toBe('700');
});
