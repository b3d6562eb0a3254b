import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { listJobs } from '../app.ts';
import { openQueue } from '../jobs/queue.ts';
import { sendMail } from '../mail/mail.ts';
import { type Mail, NO_PEOPLE } from '../mail/outbox.queries.ts';
import { testApp } from '../testing/app.ts';
import { makeBuilder } from '../testing/builder.ts';
import { copyTemplate, makeEmptyDatabase } from '../testing/databases.ts';
import { dumpDatabase } from '../testing/dump.ts';
import { type Database, openEmbedded } from '../database/database.ts';
import { dumpSchema } from '../database/dump-schema.queries.ts';
import { hasEmbeddedDatabase } from '../database/embedded-folder.ts';
import { type Moved, moveDatabase } from './move.ts';
import { inPlatform } from '../database/platform.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-move-'));
const dataDir = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true }));

const isServer = inject('template').kind === 'server';

/** Jobs that a schedule may start at any time. */
const SCHEDULED = /^job(_common)?: \([^,]+,(__pgboss__send-it|audit-sealing|factor-recoveries|school-closings),/;

/** Without the rows that each database writes for itself. */
const rowsOf = async (database: Database): Promise<string[]> =>
  (await dumpDatabase(database))
    .split('\n')
    .filter(
      (row) =>
        !/^(rate_limits|version|schedule|queue|queue_stats\w*|bam|kysely_migration):/.test(row) && !SCHEDULED.test(row),
    )
    .sort();

const fail = (error: Error) => {
  throw error;
};

const open = (database: Database, mails: Mail[]) =>
  openQueue(
    database,
    listJobs({ ...app.services, database }, async (_id, mail) => void mails.push(mail)),
    fail,
  );

const installQueue = async (database: Database): Promise<void> => (await open(database, [])).stop();

const check = async () => ({ rule: 'nothing outside the database is missing', breaches: [] });

let schoolId: number;
let rows: string[];
let moved: Moved;

beforeAll(async () => {
  const { school } = await app.build.twoSchools();
  schoolId = school.id;
  await app.build.reading(school, school.ownClass.pupils[0]!.id, [
    { started_at: '2026-11-16T09:00:00Z' },
    { started_at: '2026-11-17T09:00:00Z', book_id: 102 },
  ]);
  await app.build.invoice(school);
  await app.build.invite(school);
  await inPlatform(app.database, (db) =>
    sendMail(
      db,
      { kind: 'invite', recipient: 'waiting@school.example', subject: 'Join us', html: 'Join', text: 'Join' },
      NO_PEOPLE,
      app.services.clock.now(),
    ),
  );
  rows = await rowsOf(app.database);
  const target = await openEmbedded(dataDir);
  moved = await moveDatabase(app.database, target, installQueue, check);
  await target.close();
}, 300_000);

describe('a database that is moved', () => {
  let copy: Database;
  beforeAll(async () => {
    copy = await openEmbedded(dataDir);
  });
  afterAll(() => copy.close());

  test('has every row and the same schema', async () => {
    expect(await rowsOf(copy)).toEqual(rows);
    expect(await dumpSchema(copy.kysely)).toBe(await dumpSchema(app.database.kysely));
  });

  test('is described, and follows all rules', () => {
    expect(moved.counts).toMatchObject({ schools: 2, sessions: 2 });
    expect(moved.findings).toHaveLength(8);
    expect(moved.findings.at(-1)?.rule).toBe('nothing outside the database is missing');
    expect(moved.findings.filter(({ breaches }) => breaches.length > 0)).toEqual([]);
  });

  test('is not copied over a database that has tables', async () => {
    await expect(moveDatabase(app.database, copy, installQueue, check)).rejects.toThrow('The target is not empty');
    expect(await rowsOf(copy)).toEqual(rows);
  });
});

/** Runs the command to its end. */
async function runMove(to: string, environment: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../move.ts'), '--to', to], {
    env: { PATH: process.env.PATH, STAGE: 'local', ...environment },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)));
  const code = await new Promise<number>((done) => child.once('close', done));
  return { code, output };
}

test('npm run move rejects a target of the same kind', async () => {
  const { code, output } = await runMove(join(folder, 'other'), { DATA_DIR: dataDir });
  expect(output).toContain('the target must be a postgres:// URL');
  expect(code).toBe(1);
});

if (isServer)
  describe('npm run move', () => {
    const urlOf = ({ engine }: Database) => (engine.kind === 'server' ? engine.directUrl : '');

    const connect = async (database: Database, applicationName: string) => {
      const client = new pg.Client({ connectionString: urlOf(database), application_name: applicationName });
      await client.connect();
      return client;
    };

    test('rejects a database that the portal still uses, before the target is created', async () => {
      const target = join(folder, 'used');
      const { code, output } = await runMove(target, { DATABASE_URL: urlOf(app.database) });
      expect(output).toContain('The portal still uses the database.');
      expect(code).toBe(1);
      expect(existsSync(target)).toBe(false);
    });

    test('fails when a process of the portal starts during the copy, and removes the copy', async () => {
      const { database: server, remove } = await copyTemplate(inject('template'));
      try {
        const target = join(folder, 'incomplete');
        const holder = await connect(server, 'psql');
        await holder.query('begin; lock table users');
        const moving = runMove(target, { DATABASE_URL: urlOf(server) });
        // On another connection: within the transaction that locks the table the answer would never change.
        const observer = await connect(server, 'psql');
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        await expect.poll(async () => (await observer.query(waiting)).rowCount, { timeout: 240_000 }).toBe(1);
        await observer.end();
        expect(hasEmbeddedDatabase(target)).toBe(false);

        const portal = await connect(server, 'school-portal 0222_keys_of_recovery_codes');
        await holder.end();
        const { code, output } = await moving;
        await portal.end();
        expect(output).toContain('The portal still uses the database.');
        expect(code).toBe(1);
        expect(readdirSync(target)).toEqual([]);
      } finally {
        await remove();
      }
    });

    test('copies to a server and back, with covers; there waiting mails are sent and new rows get new IDs', async () => {
      const { database: server, remove } = await makeEmptyDatabase(inject('template'));
      try {
        // A portal that made its own key has no SECRETS_KEY, which production requires with a server.
        const { code, output } = await runMove(urlOf(server), { STAGE: 'production', DATA_DIR: dataDir });
        expect(output).toContain('Copied 2 schools');
        expect(output).toContain(`SECRETS_KEY to the content of ${dataDir}/secrets.key`);
        expect(code).toBe(0);

        const folderAgain = join(folder, 'again');
        const cover = join('content', 'originals', 'covers', '101-abc');
        mkdirSync(join(dataDir, dirname(cover)), { recursive: true });
        writeFileSync(join(dataDir, cover), 'a cover');
        // A try that was rejected leaves nothing in the way of the next one.
        const portal = await connect(server, 'school-portal 0222_keys_of_recovery_codes');
        const rejected = await runMove(folderAgain, { DATABASE_URL: urlOf(server), DATA_DIR: dataDir });
        await portal.end();
        expect(rejected.output).toContain('The portal still uses the database.');
        // Before the test itself connects to the server, which a move rejects.
        const back = await runMove(folderAgain, { DATABASE_URL: urlOf(server), DATA_DIR: dataDir });
        expect(back.output).toContain('Copied 2 schools');
        expect(back.code).toBe(0);
        const copy = await openEmbedded(folderAgain);
        expect(await rowsOf(copy)).toEqual(rows);
        await copy.close();
        expect(readFileSync(join(folderAgain, cover), 'utf8')).toBe('a cover');

        expect(await rowsOf(server)).toEqual(rows);

        const mails: Mail[] = [];
        const queue = await open(server, mails);
        await queue.drain();
        await queue.stop();
        expect(mails.map(({ recipient }) => recipient)).toContain('waiting@school.example');
        const { id } = await makeBuilder({ ...app.services, database: server }).school();
        expect(id).toBeGreaterThan(schoolId);
      } finally {
        await remove();
      }
    });
  });
