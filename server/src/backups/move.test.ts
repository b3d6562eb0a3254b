import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest';
import { listJobs } from '../app.ts';
import { openQueue, type Queue } from '../jobs/queue.ts';
import { sendMail } from '../mail/mail.ts';
import { type Mail, NO_PEOPLE } from '../mail/outbox.queries.ts';
import { testApp } from '../testing/app.ts';
import { makeBuilder } from '../testing/builder.ts';
import { makeEmptyDatabase, prepareForTests } from '../testing/databases.ts';
import { dumpDatabase } from '../testing/dump.ts';
import type { Database } from '../database/database.ts';
import { dumpSchema } from '../database/schema/dump-schema.queries.ts';
import { lockFolder, openEmbedded, requireServer } from '../database/embedded.ts';
import { inPlatform } from '../database/platform.ts';

const app = testApp();
const folder = mkdtempSync(join(tmpdir(), 'portal-move-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Jobs that a schedule may start at any time. */
const SCHEDULED =
  /^job(_common)?: \([^,]+,(__pgboss__send-it|admin-requests|audit-sealing|factor-recoveries|school-closings),/;

/** Without the rows that each database writes for itself. */
const rowsOf = async (database: Database): Promise<string[]> =>
  (await dumpDatabase(database))
    .split('\n')
    .filter(
      (row) =>
        !/^(rate_limits|version|schedule|queue|queue_stats\w*|bam|kysely_migration(_lock)?):/.test(row) &&
        !SCHEDULED.test(row),
    )
    .sort();

/** @param mails receives what is delivered */
function openTestQueue(database: Database, mails: Mail[]): Promise<Queue> {
  const jobs = listJobs({ ...app.services, database }, async (_id, mail) => void mails.push(mail));
  return openQueue(database, jobs, (error) => {
    throw error;
  });
}

let schoolId: number;
let rows: string[];

beforeAll(async () => {
  const source = await openEmbedded(folder);
  await prepareForTests(source);
  // What an upgrade from an early version leaves behind: a table that no version reads, and a column in another place.
  await sql`create table kysely_migration_lock (id varchar(255) primary key, is_locked integer not null)`.execute(
    source.kysely,
  );
  await sql`insert into kysely_migration_lock values ('migration_lock', 0)`.execute(source.kysely);
  await sql`alter table schools add column dropped text`.execute(source.kysely);
  await sql`alter table schools drop column dropped`.execute(source.kysely);

  const build = makeBuilder({ ...app.services, database: source });
  const { school } = await build.twoSchools();
  schoolId = school.id;
  await build.reading(school, school.ownClass.pupils[0]!.id, [
    { started_at: '2026-11-16T09:00:00Z' },
    { started_at: '2026-11-17T09:00:00Z', book_id: 102 },
  ]);
  await build.invoice(school);
  await build.invite(school);
  const queue = await openTestQueue(source, []);
  const mail = { kind: 'invite', recipient: 'waiting@school.example', subject: 's', html: 'h', text: 't' } as const;
  await inPlatform(source, (db) => sendMail(db, mail, NO_PEOPLE, app.services.clock.now()));
  await queue.stop();
  rows = await rowsOf(source);
  await source.close();
});

/** Starts the command. A portal that made its own key has no SECRETS_KEY, which production requires with a server. */
function startMove(to: string, settings: Record<string, string> = {}) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../commands/move.ts'), '--to', to], {
    env: { PATH: process.env.PATH, STAGE: 'production', DATA_DIR: folder, ...settings },
  });
  const run = { output: '', code: new Promise<number>((done) => child.once('close', done)) };
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (run.output += String(text)));
  return run;
}

async function makeTarget(): Promise<{ server: Database; url: string }> {
  const { database, remove } = await makeEmptyDatabase(inject('template'));
  onTestFinished(remove);
  return { server: database, url: requireServer(database).directUrl };
}

test('npm run move waits for the portal to stop, copies every row, and the server sends waiting mails and gives new IDs', async () => {
  const { server, url } = await makeTarget();
  const release = await lockFolder(folder, () => undefined);
  const move = startMove(url);
  await expect.poll(() => move.output, { timeout: 60_000 }).toContain('Another process is using the data folder');
  await release();
  expect({ code: await move.code, output: move.output }).toMatchObject({
    code: 0,
    output: expect.stringContaining('Copied 2 schools'),
  });
  expect(move.output).toContain('✓ each table has as many rows as before');
  expect(move.output).toContain('✓ each imported cover and preview exists');
  expect(move.output).toContain(`SECRETS_KEY to the content of ${folder}/secrets.key`);
  expect(await rowsOf(server)).toEqual(rows);
  expect(await dumpSchema(server.kysely)).toBe(await dumpSchema(app.database.kysely));

  const mails: Mail[] = [];
  const queue = await openTestQueue(server, mails);
  await queue.drain();
  await queue.stop();
  expect(mails.map(({ recipient }) => recipient)).toContain('waiting@school.example');
  const { id } = await makeBuilder({ ...app.services, database: server }).school();
  expect(id).toBeGreaterThan(schoolId);
});

test('npm run move leaves the embedded database as it is', async () => {
  const source = await openEmbedded(folder);
  onTestFinished(() => source.close());
  expect(await rowsOf(source)).toEqual(rows);
});

test('npm run move changes nothing in a database that has tables', async () => {
  const { server, url } = await makeTarget();
  await sql`create table notes (text text)`.execute(server.kysely);
  const move = startMove(url);
  expect(await move.code).toBe(1);
  expect(move.output).toContain('The target is not empty: it has the table public.notes. Nothing has changed.');
  const { rows: tables } = await sql`select from pg_tables where schemaname = 'public'`.execute(server.kysely);
  expect(tables).toHaveLength(1);
});

test('npm run move rejects a portal that uses a server, and a target that is a folder', async () => {
  const { url } = await makeTarget();
  const moves = [startMove(url, { STAGE: 'local', DATABASE_URL: url }), startMove(join(folder, 'x'))];
  expect(await Promise.all(moves.map(({ code }) => code))).toEqual([1, 1]);
  expect(moves[0]!.output).toContain('DATABASE_URL is set, so the portal already uses a server.');
  expect(moves[1]!.output).toContain('DATABASE_URL');
});
