import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { archiveCalls } from '#contract/calls/archive.ts';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listJobs } from '../app.ts';
import { finishRestore, type RestoreSteps } from '../backups/after-restore.ts';
import { backUp } from '../backups/backup.ts';
import { readNumbers } from '../backups/generation.queries.ts';
import { assertNotRestored, LAST_NUMBERS_FILE, readLastNumbers, recordLastNumbers } from '../backups/last-numbers.ts';
import { connectPatiently } from '../backups/restore.ts';
import type { Database } from '../database/database.ts';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { openQueue } from '../jobs/queue.ts';
import { discardRestoredMails, sendMail, sendRestoredMails } from '../mail/mail.ts';
import { type Mail, NO_PEOPLE } from '../mail/outbox.queries.ts';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, makeBuilder } from '../testing/builder.ts';
import { dumpDatabase } from '../testing/dump.ts';
import { runCommand, startPortal } from '../testing/portal-process.ts';
import { makeRestoreTarget, type RestoreTarget, restoreWithoutSteps } from '../testing/restore-target.ts';
import { testSettings } from '../testing/test-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'after-restore-'));
const backups = join(folder, 'backups');
const backup = join(backups, 'before.backup');
const app = testApp({ BACKUP_DIR: backups });

const CANARY = /xanthippe|quaglino/i;
const NOW = new Date('2026-11-18T12:00:00.000Z');
const LOST = 'INV-000002';

const makeMail = (subject: string): Mail => ({
  kind: 'contact_request',
  recipient: 'office@oak.example',
  subject,
  html: '<p>Hello</p>',
  text: 'Hello',
});

let school: BuiltSchool;
/** What the portal did after the backup: an erasure, an invoice, and the delivery of a mail. */
beforeAll(async () => {
  mkdirSync(backups);
  school = await app.build.school();
  const [pupil] = await app.build.pupils(school, school.ownClass.id, ['Xanthippe Quaglino']);
  await app.build.invoice(school);
  await app.runJobs({ scheduled: true });
  for (const name of readdirSync(backups)) rmSync(join(backups, name), { recursive: true });
  await recordLastNumbers(app.services.database, backups, NOW);
  await inPlatform(app.services.database, (db) => sendMail(db, makeMail('waiting'), NO_PEOPLE, NOW));
  await backUp(app.database, backup, NOW);

  const params = { id: school.id };
  const { token } = school.admin;
  await app.call(archiveCalls.archivePupils, { token, params, body: { reader_ids: [pupil!.id] } });
  await app.call(archiveCalls.erasePupil, { token, params: { ...params, readerId: pupil!.id } });
  await app.build.invoice(await app.build.school());
  await app.runJobs();
});

test('the mail that was waiting at the restored moment has been sent since, and a second invoice issued', async () => {
  expect(app.mails.map(({ subject }) => subject)).toContain('waiting');
  expect((await readLastNumbers(backups))?.invoice).toBe(2);
});

let target: RestoreTarget;
/** The settings of a portal on the restored database. */
let settings: Record<string, string>;
beforeEach(async () => {
  target = await makeRestoreTarget(folder);
  const { databaseUrl, dataDir } = target;
  settings = {
    ...testSettings,
    DATA_DIR: dataDir,
    BACKUP_DIR: mkdtempSync(join(folder, 'backups-')),
    DATABASE_URL: databaseUrl,
  };
  for (const name of ['erasures.txt', LAST_NUMBERS_FILE])
    copyFileSync(join(backups, name), join(settings.BACKUP_DIR!, name));
});
afterEach(() => target.remove());

const run = (...words: string[]) => runCommand('backup.ts', words, settings, folder);

/** Opens the restored database for the rest of the test. */
async function openTarget(): Promise<Database> {
  const database = connectPatiently(target.databaseUrl);
  onTestFinished(() => database.close());
  return database;
}

/** Runs the jobs of a database, and returns the subjects of the mails that it sends. */
async function sendMails(database: Database, before: () => Promise<unknown> = async () => undefined) {
  const subjects: string[] = [];
  // The restored queue may contain the nightly backup, which is not part of the test.
  const config = { ...app.services.config, backupDir: undefined };
  const services = { config, database, clock: { now: () => NOW } };
  const deliver = async (_id: number, { subject }: Mail) => void subjects.push(subject);
  const fail = (error: Error) => {
    throw error;
  };
  const queue = await openQueue(database, listJobs(services, deliver), fail);
  try {
    await before();
    await queue.drain();
  } finally {
    await queue.stop();
  }
  return subjects;
}

const issueInvoice = async (database: Database): Promise<string> => {
  const build = makeBuilder({ config: app.services.config, database, clock: { now: () => NOW } });
  return (await build.invoice(await build.school())).number;
};

const names = async (database: Database): Promise<string[]> =>
  (await dumpDatabase(database)).split('\n').filter((row) => CANARY.test(row));

describe('after a restore to a point in time,', () => {
  beforeEach(() => restoreWithoutSteps(target, backup));

  test('no process serves the database until npm run after-restore has erased, continued numbers and held mails', async () => {
    const rejected = startPortal(settings);
    expect(await rejected.ended).toBe(1);
    expect(rejected.output()).toContain('This database was restored from an earlier moment');
    expect(rejected.output()).not.toContain('API reference');

    const { code, stdout, stderr } = await run('after-restore');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Erased again: 1 of 1 in the list of erasures');
    expect(stdout).toContain('✓ the audit log is as the portal wrote it');
    expect(stdout).not.toContain('✗');
    expect(stdout).toContain(`${LOST}: issued before a restore and no longer in the portal.`);
    expect(stdout).toContain('INV-000001: open. Look in the bank account for payments since 2026-11-18T12:00:00.000Z.');
    expect(stdout).toContain('Held emails, which may have been sent before: 1 contact request.');

    const portal = startPortal(settings);
    await portal.waitFor('API reference');
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
    expect(readdirSync(target.dataDir)).not.toContain('outbox');

    expect((await run('after-restore', '--send-mails')).stdout).toContain(
      'Held emails that the portal sends once it runs: 1.',
    );
    const database = await openTarget();
    expect(await names(database)).toEqual([]);
    expect(await issueInvoice(database)).toBe('INV-000003');
    expect(await sendMails(database)).toContain('waiting');
  });

  test('mails of the restored outbox wait while new ones are sent, and discarding them deletes only those that waited', async () => {
    const database = await openTarget();
    expect((await finishRestore(database)).heldMails).toEqual([{ kind: 'contact_request', count: 1 }]);
    const sendNew = () => inPlatform(database, (db) => sendMail(db, makeMail('new'), NO_PEOPLE, NOW));
    expect(await sendMails(database, sendNew)).toEqual(['new']);
    expect(await discardRestoredMails(database)).toBe(1);
    expect(await discardRestoredMails(database)).toBe(0);
    expect(await sendMails(database, () => sendRestoredMails(database, NOW))).toEqual([]);
  });

  test('the restored mails are sent once they are released, and only once', async () => {
    const database = await openTarget();
    await finishRestore(database);
    expect(await sendMails(database)).toEqual([]);
    const release = async () => expect(await sendRestoredMails(database, NOW)).toBe(1);
    expect(await sendMails(database, release)).toEqual(['waiting']);
    expect(await sendMails(database, async () => expect(await sendRestoredMails(database, NOW)).toBe(0))).toEqual([]);
  });

  test('a run that fails at any step leaves the portal stopped, and the next run completes it', async () => {
    const database = await openTarget();
    const lastNumbers = await readLastNumbers(backups);
    const fail = () => Promise.reject(new Error('The power failed.'));
    const failures: RestoreSteps[] = [{ reapplyErasures: fail }, { checks: [fail] }];
    for (const failure of failures) {
      await expect(finishRestore(database, { lastNumbers, ...failure })).rejects.toThrow('The power failed.');
      await expect(assertNotRestored(database, backups)).rejects.toThrow('npm run after-restore');
    }
    for (let runs = 0; runs < 2; runs += 1)
      expect(await finishRestore(database, { lastNumbers })).toMatchObject({
        heldMails: [{ kind: 'contact_request', count: 1 }],
        missingNumbers: [{ kind: 'invoice', first: 2, last: 2 }],
      });
    await assertNotRestored(database, backups);
  });

  test('another run after the portal has served changes no number', async () => {
    const database = await openTarget();
    const lastNumbers = await readLastNumbers(backups);
    await finishRestore(database, { lastNumbers });
    expect(await issueInvoice(database)).toBe('INV-000003');
    const { findings } = await finishRestore(database, { lastNumbers });
    expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    expect(await issueInvoice(database)).toBe('INV-000004');
  });

  test('two runs at once take turns and record each number once', async () => {
    const lastNumbers = await readLastNumbers(backups);
    const databases = [await openTarget(), await openTarget()];
    const reports = await Promise.all(databases.map((database) => finishRestore(database, { lastNumbers })));
    for (const { missingNumbers, findings } of reports) {
      expect(missingNumbers).toEqual([{ kind: 'invoice', first: 2, last: 2 }]);
      expect(findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
    }
  });

  test('the command changes nothing while a portal uses the database', async () => {
    const portal = startPortal({ ...settings, BACKUP_DIR: '' });
    await portal.waitFor('API reference');
    const { code, stderr } = await run('after-restore');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stop all its processes first'),
    });
    portal.kill('SIGKILL');
    await portal.ended;
    const database = await openTarget();
    await expect(assertNotRestored(database, settings.BACKUP_DIR)).rejects.toThrow('npm run after-restore');
  });

  test('mails cannot be released before the other steps are done', async () => {
    const { code, stderr } = await run('after-restore', '--send-mails');
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('npm run after-restore') });
  });

  test('without a record of the last numbers the command says what to check, and erases and holds all the same', async () => {
    rmSync(join(settings.BACKUP_DIR!, LAST_NUMBERS_FILE));
    const { code, stdout } = await run('after-restore');
    expect(code).toBe(0);
    expect(stdout).toContain('No last-numbers.json was found: check that the next invoice gets a number');
    expect(stdout).toContain('Erased again: 1 of 1');
    expect(stdout).toContain('Held emails');
  });
});

describe('npm run restore', () => {
  test('npm run restore does the steps of after-restore with the lists beside the file, and the portal starts at once', async () => {
    settings.BACKUP_DIR = '';
    const { code, stdout, stderr } = await run('restore', backup);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Restored the backup of 2026-11-18T12:00:00.000Z');
    expect(stdout).toContain('Erased again: 1 of 1 in the list of erasures');
    expect(stdout).toContain(`${LOST}: issued before a restore`);
    expect(stdout).toContain('Held emails');
    const database = await openTarget();
    await assertNotRestored(database, backups);
    expect(await names(database)).toEqual([]);
    expect(await issueInvoice(database)).toBe('INV-000003');
  });

  test('a second restore of the same backup continues behind the numbers that were given after the first', async () => {
    const records = settings.BACKUP_DIR!;
    await run('restore', backup);
    const first = await openTarget();
    expect(await issueInvoice(first)).toBe('INV-000003');
    await recordLastNumbers(first, records, NOW);
    const second = await makeRestoreTarget(folder);
    await restoreWithoutSteps(second, backup);
    const database = await second.open();
    await expect(assertNotRestored(database, records)).rejects.toThrow('npm run after-restore');
    const { missingNumbers } = await finishRestore(database, { lastNumbers: await readLastNumbers(records) });
    expect(missingNumbers).toEqual([{ kind: 'invoice', first: 2, last: 3 }]);
    expect(await issueInvoice(database)).toBe('INV-000004');
    await database.close();
    await second.remove();
  });
});

test('npm run after-restore rejects an empty database', async () => {
  const { code, stderr } = await run('after-restore');
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('The database is empty') });
});

test('a portal ends when its database is restored while it runs', async () => {
  await restoreWithoutSteps(target, backup);
  await run('after-restore');
  const database = await openTarget();
  const portal = startPortal(settings);
  await portal.waitFor('API reference');
  const setGeneration = (generation: number) =>
    database.kysely.updateTable('database_generation').set({ generation }).execute();
  let { generation } = await readInPlatform(database, readNumbers);
  let isEnded = false;
  void portal.ended.then(() => (isEnded = true));
  const restore = async (): Promise<boolean> => {
    await setGeneration((generation -= 1));
    return isEnded;
  };
  await expect.poll(restore, { timeout: 60_000, interval: 100 }).toBe(true);
  expect(await portal.ended).toBe(1);
  expect(portal.output()).toContain('The database was restored while the portal was running');
});
