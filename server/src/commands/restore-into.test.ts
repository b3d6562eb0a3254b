import { createHash, randomBytes } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveCalls } from '#contract/calls/archive.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backUp } from '../backups/backup.ts';
import { readBackup } from '../backups/backup-file.ts';
import { readNumbers } from '../backups/generation.queries.ts';
import { LAST_NUMBERS_FILE, recordLastNumbers } from '../backups/last-numbers.ts';
import { atDatabase, databaseIn, findDatabase, scratchNameOf, setMark } from '../backups/named-databases.ts';
import { connectPatiently } from '../backups/restore.ts';
import type { Database } from '../database/database.ts';
import { requireServer } from '../database/embedded.ts';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { sendMail } from '../mail/mail.ts';
import { NO_PEOPLE } from '../mail/outbox.queries.ts';
import { testApp } from '../testing/app.ts';
import { makeBuilder } from '../testing/builder.ts';
import { dumpDatabase } from '../testing/dump.ts';
import { runCommand, startPortal } from '../testing/portal-process.ts';
import { testSettings } from '../testing/test-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'restore-into-'));
const backups = join(folder, 'backups');
const backup = join(backups, 'before.backup');
const app = testApp({ BACKUP_DIR: backups });

const CANARY = /xanthippe|quaglino/i;
const NOW = new Date('2026-11-18T12:00:00.000Z');

/** What the portal did after the backup: an erasure and an invoice. */
beforeAll(async () => {
  mkdirSync(backups);
  const school = await app.build.school();
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']);
  await app.build.invoice(school);
  await app.runJobs({ scheduled: true });
  for (const name of readdirSync(backups)) rmSync(join(backups, name), { recursive: true });
  await recordLastNumbers(app.services.database, backups, NOW);
  const mail = {
    kind: 'contact_request',
    recipient: 'office@oak.example',
    subject: 's',
    html: 'h',
    text: 't',
  } as const;
  await inPlatform(app.services.database, (db) => sendMail(db, mail, NO_PEOPLE, NOW));
  await backUp(app.database, backup, NOW);
  const params = { id: school.id };
  const { token } = school.admin;
  await app.call(archiveCalls.archivePupils, { token, params, body: { reader_ids: [pupil!.id] } });
  await app.call(archiveCalls.erasePupil, { token, params: { ...params, readerId: pupil!.id } });
  await app.build.invoice(await app.build.school());
  // Also writes the heads of the audit logs, which the copy is behind.
  await app.runJobs({ scheduled: true });
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('npm run restore -- FILE --into NAME', () => {
  let liveUrl: string;
  /** A name of its own for each test. */
  let name: string;
  let settings: Record<string, string>;
  const run = (...words: string[]) => runCommand('backup.ts', words, settings, folder);
  const restoreInto = (into = name) => run('restore', backup, '--into', into);
  const onServer = (statement: string) => sql.raw(statement).execute(app.database.kysely);
  const findTarget = (database = name) => findDatabase(app.database.kysely, database);

  async function use<T>(database: string, work: (opened: Database) => Promise<T>): Promise<T> {
    const opened = connectPatiently(atDatabase(liveUrl, database));
    try {
      return await work(opened);
    } finally {
      await opened.close();
    }
  }
  const listNames = () =>
    use(name, async (copy) => (await dumpDatabase(copy)).split('\n').filter((row) => CANARY.test(row)));
  const readFiles = () =>
    readdirSync(backups).map((file) => {
      const path = join(backups, file);
      return [file, statSync(path).mtimeMs, readFileSync(path, 'hex')];
    });

  beforeAll(() => {
    liveUrl = requireServer(app.database).directUrl;
  });
  beforeEach(() => {
    name = `copy_${randomBytes(6).toString('hex')}`;
    settings = {
      ...testSettings,
      DATABASE_URL: liveUrl,
      DATA_DIR: mkdtempSync(join(folder, 'data-')),
      BACKUP_DIR: backups,
    };
  });
  afterEach(() => onServer(`drop database if exists ${name} with (force)`));

  test('restoring into a copy creates the database, erases again and reports, and changes nothing of the live one', async () => {
    const files = readFiles();
    expect(files.map(([file]) => file)).toContain('audit-heads.txt');
    const before = await readInPlatform(app.database, readNumbers);
    const { code, stdout, stderr } = await restoreInto();
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Restored the backup of 2026-11-18T12:00:00.000Z');
    expect(stdout).toContain('Erased again: 1 of 1 in the list of erasures');
    expect(stdout).toContain('INV-000002: issued before a restore and no longer in the portal');
    expect(stdout).toContain('Held emails, which may have been sent before: 1 contact request.');
    expect(stdout).not.toContain('✗');
    expect(stdout).toContain(`The database ${name} is a copy: no jobs run on it`);
    expect(await listNames()).toEqual([]);
    expect(await findTarget()).toMatchObject({ mark: 'copy', isOwn: true });
    expect(readFiles()).toEqual(files);
    expect(readdirSync(settings.DATA_DIR!)).toEqual([]);
    expect(await readInPlatform(app.database, readNumbers)).toEqual(before);
  });

  test('a restored copy is served by no process with the live BACKUP_DIR, until after-restore makes it the live one', async () => {
    await restoreInto();
    settings.DATABASE_URL = atDatabase(liveUrl, name);
    const rejected = startPortal(settings);
    expect(await rejected.ended).toBe(1);
    expect(rejected.output()).toContain('This database is a copy beside the portal whose BACKUP_DIR is');
    const mails = await run('after-restore', '--send-mails');
    expect(mails).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run after-restore') });

    const { code, stdout } = await run('after-restore');
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('Erased again: 0 of 1') });
    expect(stdout).not.toContain('✗');
    expect(await findTarget()).toMatchObject({ mark: undefined, hasComment: false });
    const portal = startPortal(settings);
    await portal.waitFor('API reference');
    expect(portal.output()).not.toContain('is a copy');
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    await use(name, async (database) => {
      const build = makeBuilder({ config: app.services.config, database, clock: { now: () => NOW } });
      expect((await build.invoice(await build.school())).number).toBe('INV-000003');
    });
  });

  test('a restored copy stays one however high its generation has risen', async () => {
    await restoreInto();
    await use(name, ({ kysely }) => sql`update database_generation set generation = 1000000`.execute(kysely));
    settings.DATABASE_URL = atDatabase(liveUrl, name);
    const rejected = startPortal(settings);
    expect(await rejected.ended).toBe(1);
    expect(rejected.output()).toContain('run npm run after-restore before you start the portal');
  });

  test('a process with another BACKUP_DIR serves a restored copy, and runs no job and records nothing', async () => {
    await restoreInto();
    const other = mkdtempSync(join(folder, 'other-'));
    settings = { ...settings, DATABASE_URL: atDatabase(liveUrl, name), BACKUP_DIR: other };
    const mails = await run('after-restore', '--send-mails');
    expect(mails).toMatchObject({ code: 1, stderr: expect.stringContaining('is a copy beside the live portal') });
    const readJobs = () =>
      use(name, async ({ kysely }) => {
        const { rows } = await sql<{ id: string; state: string }>`
          select id, state from pgboss.job where name not like '\\_\\_%' order by id`.execute(kysely);
        return rows;
      });
    const jobs = await readJobs();
    const portal = startPortal(settings);
    await portal.waitFor('API reference');
    expect(portal.output()).toContain('is a copy beside the live portal: no jobs run and no emails are sent');
    expect(await readJobs()).toEqual(jobs);
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    expect(await readJobs()).toEqual(jobs);
    expect(readdirSync(other)).toEqual([]);
    expect(readdirSync(settings.DATA_DIR!)).not.toContain('outbox');
  });

  test('restoring into a copy fills an existing empty database', async () => {
    await onServer(`create database ${name} template template0`);
    expect(await restoreInto()).toMatchObject({ code: 0, stderr: '' });
    expect(await findTarget()).toMatchObject({ mark: 'copy' });
  });

  test('restoring into a database with tables is rejected, a finished copy among them, and changes nothing in it', async () => {
    await onServer(`create database ${name} template template0`);
    await use(name, ({ kysely }) => sql`create table notes (text text)`.execute(kysely));
    expect(await restoreInto()).toMatchObject({ code: 1, stderr: expect.stringContaining(`${name} is not empty`) });
    expect(await findTarget()).toMatchObject({ hasComment: false });
    await use(name, ({ kysely }) => sql`drop table notes`.execute(kysely));
    expect(await restoreInto()).toMatchObject({ code: 0 });
    expect(await restoreInto()).toMatchObject({ code: 1, stderr: expect.stringContaining(`${name} is not empty`) });
    expect(await findTarget()).toMatchObject({ mark: 'copy' });
  });

  test('without --into a restore to the live database is rejected and names --into', async () => {
    expect(await run('restore', backup)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('npm run restore -- FILE --into NAME'),
    });
  });

  test.each([
    ['', '--into takes the name of a database'],
    ['Copy', '--into takes the name of a database'],
    ['1copy', '--into takes the name of a database'],
    ['copy"; drop database portal; --', '--into takes the name of a database'],
    [`c${'o'.repeat(63)}`, '--into takes the name of a database'],
    ['postgres', 'is not for copies'],
    ['template1', 'is not for copies'],
    ['template_of_mine', 'is not for copies'],
  ])('rejects the name “%s”', async (bad, words) => {
    expect(await restoreInto(bad)).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
  });

  test('restoring into the live database or its scratch database is rejected, also where DATABASE_DIRECT_URL names them', async () => {
    const live = databaseIn(liveUrl);
    expect(await restoreInto(live)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${live} is the database in DATABASE_URL`),
    });
    expect(await restoreInto(scratchNameOf(liveUrl))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not for copies'),
    });
    settings.DATABASE_URL = atDatabase(liveUrl, 'name_of_the_pooler');
    settings.DATABASE_DIRECT_URL = liveUrl;
    settings.DATABASE_PREPARED_STATEMENTS = 'off';
    expect(await restoreInto(live)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${live} is the database in DATABASE_URL`),
    });
  });

  test('a damaged file is rejected before a database is created', async () => {
    const { code, stderr } = await run('restore', join(backups, LAST_NUMBERS_FILE), '--into', name);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('is not a backup') });
    expect(await findTarget()).toBeUndefined();
  });

  test('restoring into a copy works while the live database does not exist', async () => {
    settings.DATABASE_URL = atDatabase(liveUrl, `${name}_gone`);
    expect(await restoreInto()).toMatchObject({ code: 0, stderr: '' });
    expect(await findTarget()).toMatchObject({ mark: 'copy' });
  });

  test('restoring into a copy prints the statement for an administrator where the account may not create databases', async () => {
    const account = `plain_${randomBytes(6).toString('hex')}`;
    await onServer(`create role ${account} login createrole`);
    await onServer(`create database ${account} owner ${account} template template0`);
    try {
      const url = new URL(atDatabase(liveUrl, account));
      url.username = account;
      settings.DATABASE_URL = url.href;
      const { code, stderr } = await restoreInto();
      const statement = `create database ${name} owner ${account} encoding 'UTF8' template template0`;
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(`${statement};`) });
      expect(await findTarget()).toBeUndefined();
      await onServer(`create database ${name} template template0`);
      expect(await restoreInto()).toMatchObject({ code: 1, stderr: expect.stringContaining('another account') });
      await onServer(`drop database ${name}`);
      await onServer(statement);
      expect(await restoreInto()).toMatchObject({ code: 0, stderr: '' });
    } finally {
      await onServer(`drop database if exists ${name} with (force)`);
      await onServer(`drop database ${account} with (force)`);
      await onServer(`drop role ${account}`);
    }
  });

  test('a restore that was interrupted serves no one, and the next run of the command replaces it', async () => {
    await restoreInto();
    // As after a kill between the rows and the erasures.
    await setMark(app.database.kysely, name, 'incomplete');
    await use(name, ({ kysely }) => sql`update schools set name = 'Half restored'`.execute(kysely));
    settings.BACKUP_DIR = mkdtempSync(join(folder, 'other-'));
    settings.DATABASE_URL = atDatabase(liveUrl, name);
    const rejected = startPortal(settings);
    expect(await rejected.ended).toBe(1);
    expect(rejected.output()).toContain('The restore into this database is not complete');
    expect(await run('after-restore')).toMatchObject({ code: 1, stderr: expect.stringContaining('is not complete') });

    settings.DATABASE_URL = liveUrl;
    // The connections of the portal and of the command may take a moment to close, and a restore waits for none.
    await expect.poll(() => restoreInto()).toMatchObject({ code: 0, stderr: '' });
    expect(await findTarget()).toMatchObject({ mark: 'copy' });
    const schools = await use(name, ({ kysely }) => kysely.selectFrom('schools').select('name').execute());
    expect(schools.map((school) => school.name)).not.toContain('Half restored');
  });

  test('restoring does not touch a database that a program uses', async () => {
    await restoreInto();
    await setMark(app.database.kysely, name, 'incomplete');
    await use(name, async ({ kysely }) => {
      await sql`select 1`.execute(kysely);
      expect(await restoreInto()).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is in use by school-portal'),
      });
    });
  });

  test('two runs at once for one name leave one complete copy', async () => {
    const results = await Promise.all([restoreInto(), restoreInto()]);
    expect(results.map(({ code }) => code).sort()).toEqual([0, 1]);
    expect(results.find(({ code }) => code === 1)?.stderr).toMatch(/Another restore beside this portal|is not empty/);
    expect(await findTarget()).toMatchObject({ mark: 'copy' });
    expect(await listNames()).toEqual([]);
  });

  test('a restore that fails drops the database that it created, and leaves an existing one empty', async () => {
    const { bytes, ...about } = await readBackup(backup);
    const content = readFileSync(backup).subarray(0, Math.floor(bytes / 2));
    const sha256 = createHash('sha256').update(content).digest('hex');
    const cut = join(folder, 'cut.backup');
    writeFileSync(cut, content);
    appendFileSync(cut, `\n${JSON.stringify({ ...about, bytes: content.length, sha256 })}\n`);
    const failure = { code: 1, stderr: expect.stringContaining('pg_restore failed') };
    expect(await run('restore', cut, '--into', name)).toMatchObject(failure);
    expect(await findTarget()).toBeUndefined();
    await onServer(`create database ${name} template template0`);
    expect(await run('restore', cut, '--into', name)).toMatchObject(failure);
    expect(await findTarget()).toMatchObject({ mark: 'incomplete' });
    expect(await restoreInto()).toMatchObject({ code: 0, stderr: '' });
  });
});
