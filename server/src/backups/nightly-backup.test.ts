import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { withClusterExtension } from '../testing/cluster-extension.ts';
import { backupJob } from './backup.jobs.ts';

const root = mkdtempSync(join(tmpdir(), 'portal-nights-'));
const backupDir = join(root, 'job');
mkdirSync(backupDir);
const app = testApp({ BACKUP_DIR: backupDir });
afterAll(() => rmSync(root, { recursive: true }));

const DAY_MS = 86_400_000;
const TONIGHT = '2026-11-18T02:15:00.000Z';
const TONIGHTS_FILE = 'portal-2026-11-18T02-15-00Z.backup';

let folder: string;
let log: { fields: object; message: string }[];
let copied: string[];
beforeEach(() => {
  folder = mkdtempSync(join(root, 'folder-'));
  log = [];
  copied = [];
  app.setTime(TONIGHT);
});

const runJob = (config: Partial<typeof app.services.config> = {}) =>
  backupJob(
    { ...app.services, config: { ...app.services.config, ...config } },
    folder,
    async (target) => void copied.push(target),
    (fields, message) => void log.push({ fields, message }),
  ).run({});

const timeBefore = (days: number) => new Date(Date.parse(TONIGHT) - days * DAY_MS).toISOString();
const nameOf = (time: string) => `portal-${time.slice(0, 19).replaceAll(':', '-')}Z.backup`;

/** Leaves a file that ends as a complete backup of so many days ago does. */
function seal(daysAgo: number, name = nameOf(timeBefore(daysAgo))): string {
  const manifest = {
    format: 'school-portal-backup',
    version: 1,
    kind: 'server',
    postgres: 15,
    schema: '0001',
    created_at: timeBefore(daysAgo),
    bytes: 0,
    sha256: '',
  };
  writeFileSync(join(folder, name), `\n${JSON.stringify(manifest)}\n`);
  return name;
}

const listFiles = () => readdirSync(folder).sort();

test('the nightly job deletes backups of any name by their age, and no other files', async () => {
  for (let night = 1; night <= 8; night += 1) seal(night);
  seal(36);
  seal(40, 'before-upgrade.backup');
  seal(34, 'first.backup');
  mkdirSync(join(folder, 'originals'));
  for (const name of ['erasures.txt', 'portal-of-old.backup', 'letter.txt']) writeFileSync(join(folder, name), 'text');
  const left = new Set(listFiles());
  left.delete('before-upgrade.backup');
  left.delete(nameOf(timeBefore(36)));
  await runJob();
  expect(listFiles()).toEqual([...left, TONIGHTS_FILE].sort());
  expect(copied).toEqual([folder]);
  expect(log).toEqual([]);
});

test('the nightly job deletes nothing and logs why when the clock has jumped', async () => {
  for (let night = 60; night <= 69; night += 1) seal(night);
  const before = listFiles();
  await runJob();
  expect(listFiles()).toEqual([...before, TONIGHTS_FILE].sort());
  expect(log).toEqual([
    {
      fields: { reason: 'the clock is more than two days after the last backup' },
      message: 'no old backup was deleted',
    },
  ]);
});

test('the nightly job names an encrypted backup by its time, and logs encrypted files without one', async () => {
  const backupRecipients = [await identityToRecipient(await generateIdentity())];
  for (let night = 1; night <= 7; night += 1) seal(night);
  writeFileSync(join(folder, `${nameOf(timeBefore(40))}.age`), 'age-encryption.org/v1\n');
  writeFileSync(join(folder, 'before-upgrade.backup.age'), 'age-encryption.org/v1\n');
  await runJob({ backupRecipients });
  expect(readFileSync(join(folder, `${TONIGHTS_FILE}.age`), 'latin1').startsWith('age-encryption.org/v1\n')).toBe(true);
  expect(listFiles().filter((name) => name.endsWith('.age'))).toEqual([
    'before-upgrade.backup.age',
    `${TONIGHTS_FILE}.age`,
  ]);
  expect(log).toEqual([
    {
      fields: { files: ['before-upgrade.backup.age'] },
      message: 'encrypted backups without a time in their name are not deleted',
    },
  ]);
});

test('the nightly job logs the name of a backup from the future', async () => {
  for (let night = 1; night <= 3; night += 1) seal(night);
  const future = seal(-60);
  await runJob();
  expect(existsSync(join(folder, future))).toBe(true);
  expect(log).toEqual([{ fields: { files: [future] }, message: 'backups with a time in the future' }]);
});

test('a nightly job that fails deletes no backup', async () => {
  for (let night = 1; night <= 8; night += 1) seal(night);
  seal(40);
  mkdirSync(join(folder, TONIGHTS_FILE));
  const before = listFiles();
  await expect(runJob()).rejects.toThrow('already exists');
  expect(listFiles()).toEqual(before);
});

test('the nightly job deletes what an interrupted try has left, however new', async () => {
  writeFileSync(join(folder, 'portal-2026-11-18T02-10-00Z.backup.partial'), 'children');
  writeFileSync(join(folder, 'portal-2026-11-18T02-10-00Z.backup.age.partial'), 'children');
  writeFileSync(join(folder, 'letter.partial'), 'text');
  await runJob();
  expect(listFiles()).toEqual(['letter.partial', TONIGHTS_FILE]);
});

test('the nightly job on a cluster copies the covers alone, and succeeds', async () => {
  await withClusterExtension(app.database, async () => {
    await runJob();
    expect(copied).toEqual([folder]);
    expect(listFiles()).toEqual([]);
    expect(log.map(({ message }) => message)).toEqual([
      'on a cluster the nightly job copies covers only: back up each machine',
    ]);
  });
});

test('the nightly job enqueues the job that runs BACKUP_HOOK', async () => {
  await runJob({ backupHook: '/usr/bin/true' });
  const { rows } = await sql<{ retry_limit: number; retry_delay: number }>`
    select retry_limit, retry_delay from pgboss.job where name = 'backup-off-site'`.execute(app.database.kysely);
  expect(rows).toEqual([{ retry_limit: 4, retry_delay: 300 }]);
});

test('a nightly backup that fails is tried again four times, from 5 minutes to over an hour later', async () => {
  const { rows } = await sql`
    select retry_limit, retry_delay, retry_backoff from pgboss.queue where name = 'backup'`.execute(
    app.database.kysely,
  );
  expect(rows).toEqual([{ retry_limit: 4, retry_delay: 300, retry_backoff: true }]);
});
