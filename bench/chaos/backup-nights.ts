import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { DAY_MS } from '../../server/src/clock.ts';
import { readConfig } from '../../server/src/config.ts';
import { backupJob } from '../../server/src/backups/backup.jobs.ts';
import { takeOffSite } from '../../server/src/backups/off-site.jobs.ts';
import { connectPatiently } from '../../server/src/backups/restore.ts';
import type { Database } from '../../server/src/database/database.ts';
import { countDumps } from './backup-killed.ts';
import { injectFault, printLine } from './report.ts';
import { query, type ServerEnvironment } from './server-environment.ts';

const FIRST_NIGHT = Date.parse('2026-01-05T02:15:00Z');
const NIGHTS = 9;
/** Enough for the backups of a few weeks, so that it can be filled quickly. */
const DISK_SIZE = '200m';

const expectFiles = (folder: string, expected: readonly string[], moment: string): void => {
  const found = listBackups(folder);
  if (found.join() !== [...expected].sort().join())
    throw new Error(`${moment} the folder contains ${found.join(', ')} instead of ${expected.join(', ')}.`);
};

/** Everything but what the nights are not about. */
const listBackups = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('portal-'))
    .sort();

/** Runs the nightly job in a folder of its own, with a clock that is set for each night. */
function prepareNights(database: Database, folder: string, databaseUrl: string, recipient: string) {
  const config = readConfig({
    DATABASE_URL: databaseUrl,
    STAGE: 'local',
    BACKUP_DIR: folder,
    BACKUP_RECIPIENTS: recipient,
  });
  const lines: string[] = [];
  let time = new Date(FIRST_NIGHT);
  const job = backupJob(
    { config, database, clock: { now: () => time } },
    folder,
    async () => undefined,
    (_fields, message) => void lines.push(message),
  );
  return {
    lines,
    now: () => time,
    /** Returns the name of the backup that the night should have made. */
    run: async (night: number): Promise<string> => {
      // PostgreSQL may end the session of a dump a moment after pg_dump has ended, and until then no backup starts.
      while ((await countDumps(databaseUrl)) > 0) await wait(20);
      time = new Date(FIRST_NIGHT + night * DAY_MS);
      await job.run({});
      return `portal-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup.age`;
    },
  };
}

type Nights = ReturnType<typeof prepareNights>;

/** One night's clock is 60 days ahead: no backup is deleted, then or in the nights after it. */
async function jumpAhead(nights: Nights, folder: string): Promise<string[]> {
  const files: string[] = [];
  for (let night = 0; night < NIGHTS; night += 1) files.push(await nights.run(night));
  files.push(await nights.run(NIGHTS + 60));
  expectFiles(folder, files, 'After the night with a wrong clock');
  if (!nights.lines.includes('no old backup was deleted')) throw new Error('The jump of the clock was not logged.');
  for (let night = NIGHTS + 1; night < NIGHTS + 4; night += 1) files.push(await nights.run(night));
  expectFiles(folder, files, 'After the nights that followed');
  return files;
}

async function expectFailure(run: Promise<unknown>, moment: string): Promise<void> {
  const hasFailed = await run.then(
    () => false,
    () => true,
  );
  if (!hasFailed) throw new Error(`${moment} the backup did not fail.`);
}

/** PostgreSQL ends the session of pg_dump as soon as it begins. */
async function endDump(databaseUrl: string): Promise<void> {
  for (;;) {
    const ended = await query(
      databaseUrl,
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'portal-backup'",
    );
    if (ended.length > 0) return;
  }
}

async function fillDisk(disk: string, act: () => Promise<void>): Promise<void> {
  const filler = join(disk, 'filler');
  const { bavail, bsize } = statfsSync(disk);
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k', `count=${Math.ceil((bavail * bsize) / 65_536) + 1}`]);
  await act().finally(() => rmSync(filler));
}

/** The program of BACKUP_HOOK fails for a week, then takes each backup once. */
async function failOffSite(nights: Nights, folder: string, parent: string): Promise<void> {
  const [failing, taking] = [join(parent, 'failing'), join(parent, 'taking')];
  const list = join(parent, 'taken');
  writeFileSync(failing, '#!/bin/sh\nexit 3\n');
  writeFileSync(taking, `#!/bin/sh\necho "$1" >> '${list}'\n`);
  for (const program of [failing, taking]) chmodSync(program, 0o755);
  const files: string[] = [];
  for (let night = 20; night < 27; night += 1) {
    files.unshift(await nights.run(night));
    await expectFailure(
      takeOffSite(folder, failing, nights.now(), () => undefined),
      'With a program that fails',
    );
  }
  for (let time = 0; time < 2; time += 1) await takeOffSite(folder, taking, nights.now(), () => undefined);
  const taken = readFileSync(list, 'utf8').trim().split('\n');
  if (taken.slice(0, 7).join() !== files.map((name) => join(folder, name)).join() || new Set(taken).size < taken.length)
    throw new Error(`The program took ${taken.join(', ')}.`);
}

/** Nights on which something goes wrong, under a load of reading sessions. A full disk needs root. */
export async function surviveBadNights({ folder: parent, databaseUrl, readers }: ServerEnvironment): Promise<void> {
  const disk = join(parent, 'backup-disk');
  const folder = join(disk, 'backups');
  mkdirSync(disk);
  const isSmallDisk =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_SIZE}`, 'tmpfs', disk]).status === 0;
  const database = connectPatiently(databaseUrl);
  const recipient = await identityToRecipient(await generateIdentity());
  const nights = prepareNights(database, folder, databaseUrl, recipient);
  let files: string[] = [];
  try {
    await injectFault('clock 60 days ahead for one nightly backup', readers, 1, async () => {
      files = await jumpAhead(nights, folder);
    });
    await injectFault('pg_dump of the nightly backup ended by PostgreSQL', readers, 1, async () => {
      await Promise.all([expectFailure(nights.run(NIGHTS + 4), 'Without a session'), endDump(databaseUrl)]);
      expectFiles(folder, files, 'After the dump that was ended');
    });
    if (isSmallDisk)
      await injectFault('disk full during the nightly backup', readers, 1, () =>
        fillDisk(disk, async () => {
          await expectFailure(nights.run(NIGHTS + 4), 'On a full disk');
          expectFiles(folder, files, 'After the night with a full disk');
        }),
      );
    else printLine('The disk of the backups is not filled: that needs root and mount.');
    await injectFault('backups not taken off-site for a week', readers, 1, () => failOffSite(nights, folder, parent));
  } finally {
    await database.close();
    if (isSmallDisk) spawnSync('umount', [disk]);
  }
}
