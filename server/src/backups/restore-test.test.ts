import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listJobs } from '../app.ts';
import { listJobStates } from '../jobs/jobs.queries.ts';
import { type Job, openQueue } from '../jobs/queue.ts';
import { testApp } from '../testing/app.ts';
import { withClusterExtension } from '../testing/cluster-extension.ts';
import type { BuiltSchool } from '../testing/builder.ts';
import { startPortal } from '../testing/portal-process.ts';
import { testSettings } from '../testing/test-settings.ts';
import { connectServer } from '../database/database.ts';
import { requireServer } from '../database/embedded.ts';
import { readInPlatform } from '../database/platform.ts';
import { backUp } from './backup.ts';
import { readBackup } from './backup-file.ts';
import { findCreateDatabaseProblem, findDatabase, MARKS, nameBeside, scratchNameOf } from './named-databases.ts';
import { restoreTestJob } from './restore-test.jobs.ts';
import { dropLeftScratch, testRestore } from './restore-test.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'restore-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('the name of a scratch database is that of the live one with an ending, and fits into 63 characters', () => {
  expect(scratchNameOf('postgres://portal:x@127.0.0.1:5432/portal')).toBe('portal_restore_test');
  expect(scratchNameOf('postgres://portal:x@127.0.0.1:5432')).toBe('portal_restore_test');
  expect(nameBeside('p'.repeat(63), '_restore_test')).toBe(`${'p'.repeat(50)}_restore_test`);
});

describe('the weekly test of a restore', () => {
  let school: BuiltSchool;
  let liveUrl: string;
  let scratch: string;
  let backups: string;
  let lines: object[];
  let job: Job;
  const onServer = (statement: string) => sql.raw(statement).execute(app.database.kysely);
  const findScratch = () => findDatabase(app.database.kysely, scratch);
  const run = (signal?: AbortSignal) => job.run({}, signal);
  /** PostgreSQL may end the session of a dump a moment after pg_dump, and until then no backup starts. */
  async function waitForDumps(): Promise<void> {
    const countDumps = async () => {
      const { rows } = await sql`select from pg_stat_activity
        where application_name = 'portal-backup' and datname = current_database()`.execute(app.database.kysely);
      return rows.length;
    };
    await expect.poll(countDumps).toBe(0);
  }

  beforeAll(async () => {
    liveUrl = requireServer(app.database).directUrl;
    scratch = scratchNameOf(liveUrl);
    school = await app.build.school();
    await app.build.reading(school, school.ownClass.pupils[0]!.id, [{ started_at: '2026-11-16T09:00:00Z' }]);
    await app.build.invoice(school);
    await app.runJobs();
  });
  beforeEach(async () => {
    backups = mkdtempSync(join(folder, 'backups-'));
    lines = [];
    job = restoreTestJob(
      app.services,
      backups,
      async () => undefined,
      (fields, message) => void lines.push({ ...fields, message }),
    );
    await waitForDumps();
  });
  afterEach(() => onServer(`drop database if exists ${scratch} with (force)`));

  test('the restore test makes a backup, restores it, compares every table, and leaves no scratch database', async () => {
    await run();
    const [file, ...otherFiles] = readdirSync(backups);
    expect(otherFiles).toEqual([]);
    expect(await readBackup(join(backups, file!))).toMatchObject({ kind: 'server' });
    expect(lines).toEqual([
      expect.objectContaining({ message: 'restore tested', schools: 1, sessions: 1, tables: expect.any(Number) }),
    ]);
    expect(await findScratch()).toBeUndefined();
  });

  test('the restore test needs no private key, because it restores the stream before encryption', async () => {
    const recipient = await identityToRecipient(await generateIdentity());
    const config = { ...app.services.config, backupRecipients: [recipient] };
    const encrypting = restoreTestJob(
      { ...app.services, config },
      backups,
      async () => undefined,
      (fields) => void lines.push(fields),
    );
    await encrypting.run({});
    expect(lines).toHaveLength(1);
    const [file, ...otherFiles] = readdirSync(backups);
    expect(otherFiles).toEqual([]);
    expect(file).toMatch(/^portal-.*Z\.backup\.age$/);
    expect(readFileSync(join(backups, file!), 'latin1')).toMatch(/^age-encryption\.org/);
  });

  test('the restore test of a cluster is rejected with the setting that turns the test off', async () => {
    await withClusterExtension(app.database, async () => {
      await expect(run()).rejects.toThrow('RESTORE_TEST=off');
      expect(readdirSync(backups)).toEqual([]);
    });
  });

  test('the restore test compares with the rows of the same moment while others are written', async () => {
    const counts = await testRestore(app.services.database, app.services.config, new Date(), async (options) => {
      await app.build.school();
      await backUp(app.services.database, join(backups, 'while.backup'), new Date(), options);
      await app.build.school();
    });
    expect(counts.schools).toBe(1);
  });

  test('the restore test fails when the stream is cut, completes the backup, and drops the scratch database', async () => {
    const cut = testRestore(app.services.database, app.services.config, new Date(), async ({ copyTo, snapshot }) => {
      await backUp(app.services.database, join(backups, 'whole.backup'), new Date(), { snapshot });
      copyTo.end('PGDMP');
    });
    await expect(cut).rejects.toThrow('The backup could not be restored');
    expect(await readBackup(join(backups, 'whole.backup'))).toMatchObject({ kind: 'server' });
    expect(await findScratch()).toBeUndefined();
  });

  test('the restore test fails when restored rows are missing, and names the table', async () => {
    const lost = testRestore(app.services.database, app.services.config, new Date(), async ({ copyTo }) => {
      // Without the snapshot the dump lacks a row that the live database had.
      await onServer('delete from reading_sessions');
      await onServer('delete from reading_days');
      await onServer('delete from school_reading_days');
      await backUp(app.services.database, join(backups, 'lost.backup'), new Date(), { copyTo });
    });
    await expect(lost).rejects.toThrow('public.reading_sessions 1, restored 0');
    await app.build.reading(school, school.ownClass.pupils[0]!.id, [{ started_at: '2026-11-16T09:00:00Z' }]);
    await app.runJobs();
  });

  test('the restore test fails when the live data break a rule, and names the rule and the school but no person', async () => {
    await onServer(`update reading_days set words_correct = words_correct + 1 where school_id = ${school.id}`);
    try {
      await expect(run()).rejects.toThrow(
        new RegExp(`restored completely, but .* breaks rules: each school's .*except school ${school.id}`),
      );
    } finally {
      await onServer(`update reading_days set words_correct = words_correct - 1 where school_id = ${school.id}`);
    }
    expect(lines).toEqual([]);
    expect(readdirSync(backups)).toHaveLength(1);
    expect(await findScratch()).toBeUndefined();
  });

  test('the restore test fails when the backup cannot be written, and ends the restore', async () => {
    const failing = testRestore(app.services.database, app.services.config, new Date(), ({ copyTo }) =>
      backUp(app.services.database, join(backups, 'no-folder', 'x.backup'), new Date(), { copyTo }),
    );
    await expect(failing).rejects.toThrow('ENOENT');
    expect(await findScratch()).toBeUndefined();
  });

  test('the restore test ends with its process, and drops the scratch database', async () => {
    const stopping = new AbortController();
    const stopped = testRestore(
      app.services.database,
      app.services.config,
      new Date(),
      async (options) => {
        stopping.abort(new Error('The process is stopping.'));
        await backUp(app.services.database, join(backups, 'stopped.backup'), new Date(), {
          ...options,
          signal: stopping.signal,
        });
      },
      stopping.signal,
    );
    await expect(stopped).rejects.toThrow();
    expect(readdirSync(backups)).toEqual([]);
    expect(await findScratch()).toBeUndefined();
  });

  test('the restore test runs once when two processes start it at the same time', async () => {
    const results = await Promise.allSettled([run(), run()]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { message: 'Another process is testing a restore.' },
    });
    expect(readdirSync(backups)).toHaveLength(1);
    expect(await findScratch()).toBeUndefined();
  });

  test('the restore test replaces the scratch database of a killed process', async () => {
    await onServer(`create database ${scratch} template template0 connection limit 11`);
    await onServer(`comment on database ${scratch} is '${MARKS.scratch}'`);
    await run();
    expect(lines).toHaveLength(1);
  });

  test.each([
    ['without a comment', undefined],
    ['with another comment', "'the accounts of the school'"],
  ])('the restore test leaves a database of the scratch name %s, which is not its own', async (_, comment) => {
    await onServer(`create database ${scratch} template template0${comment ? ' connection limit 11' : ''}`);
    if (comment) await onServer(`comment on database ${scratch} is ${comment}`);
    await expect(run()).rejects.toThrow(`The database ${scratch} was not made by the portal`);
    await dropLeftScratch(app.services.database);
    expect(await findScratch()).toBeDefined();
    expect(readdirSync(backups)).toEqual([]);
  });

  test('the restore test names the statement that allows the account to create databases', async () => {
    const account = `plain_${randomBytes(6).toString('hex')}`;
    await onServer(`create role ${account} login`);
    const url = new URL(liveUrl);
    url.username = account;
    const database = connectServer(url.href);
    try {
      const words = `alter role ${account} createdb;`;
      expect(await findCreateDatabaseProblem(database.kysely)).toContain(words);
      const attempt = testRestore(database, app.services.config, new Date(), async () => undefined);
      await expect(attempt).rejects.toThrow(words);
      await onServer(`alter role ${account} createdb`);
      expect(await findCreateDatabaseProblem(database.kysely)).toBeUndefined();
    } finally {
      await database.close();
      await onServer(`drop role ${account}`);
    }
  });

  test('a start drops the scratch database of a killed process, marked or not yet, and never one in use', async () => {
    const options = 'template template0 connection limit 11';
    for (const comment of [`'${MARKS.scratch}'`, 'null']) {
      await onServer(`create database ${scratch} ${options}`);
      await onServer(`comment on database ${scratch} is ${comment}`);
      await dropLeftScratch(app.services.database);
      expect(await findScratch()).toBeUndefined();
    }
    const tested = testRestore(app.services.database, app.services.config, new Date(), async (copy) => {
      await dropLeftScratch(app.services.database);
      expect(await findScratch()).toMatchObject({ mark: 'scratch' });
      await backUp(app.services.database, join(backups, 'during.backup'), new Date(), copy);
    });
    expect(await tested).toMatchObject({ schools: expect.any(Number) });
  });

  test('the portal drops the scratch database of a killed process when it starts', async () => {
    await onServer(`create database ${scratch} template template0 connection limit 11`);
    await onServer(`comment on database ${scratch} is '${MARKS.scratch}'`);
    const settings = { ...testSettings, DATABASE_URL: liveUrl, DATA_DIR: mkdtempSync(join(folder, 'data-')) };
    const portal = startPortal(settings);
    await portal.waitFor('API reference');
    await expect.poll(findScratch).toBeUndefined();
    portal.kill('SIGTERM');
    expect(await portal.ended).toBe(0);
  });

  test('the restore test is a job only with DATABASE_URL and BACKUP_DIR, unless RESTORE_TEST is off', () => {
    const listNames = (change: object) =>
      listJobs({ ...app.services, config: { ...app.services.config, ...change } }, async () => undefined).map(
        ({ name }) => name,
      );
    const all = { databaseUrl: liveUrl, backupDir: backups, hasRestoreTest: true };
    expect(listNames(all)).toContain('restore-test');
    for (const change of [{ databaseUrl: undefined }, { backupDir: undefined }, { hasRestoreTest: false }])
      expect(listNames({ ...all, ...change })).not.toContain('restore-test');
  });

  test('the restore test runs on Sundays, and its last success remains for longer than a week', async () => {
    expect(job).toMatchObject({ schedule: '15 4 * * 0' });
    const fail = (error: Error) => {
      throw error;
    };
    const queue = await openQueue(app.database, [job], fail);
    try {
      await queue.drain({ scheduled: true });
      const { rows } = await sql<{ deletion_seconds: number }>`
        select deletion_seconds from pgboss.job where name = 'restore-test' and state = 'completed'`.execute(
        app.database.kysely,
      );
      expect(rows).toEqual([{ deletion_seconds: 60 * 86_400 }]);
      const states = await readInPlatform(app.database, listJobStates);
      expect(states.find(({ name }) => name === 'restore-test')?.last_done_at).toBeInstanceOf(Date);
    } finally {
      await queue.stop();
    }
  });
});
