import { randomBytes } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { inPlatform, readInPlatform } from '../database/platform.ts';
import { AUDIT_TABLES, isAuditLogProtected, protectAuditLog } from '../database/audit-functions.ts';
import { connectServer, type Database, prepareDatabase } from '../database/database.ts';
import { inSchool } from '../database/school.ts';
import { insertSchool } from '../features/school/school/school.public.ts';
import { testApp } from '../testing/app.ts';
import { verifySchool } from './audit-chain.queries.ts';
import { restartChain } from './audit-head.queries.ts';
import { NO_ACTOR, recordChange } from './audit-log.queries.ts';
import { deleteEntries, eraseDetails } from './erase-details.queries.ts';
import { endChain, pruneEntries, sealPending } from './seal-audit.queries.ts';

const app = testApp();
const NOW = new Date('2026-11-18T12:00:00.000Z');

const CHANGES = (table: string): RawBuilder<unknown>[] => [
  sql`update ${sql.table(table)} set school_id = school_id`,
  sql`delete from ${sql.table(table)}`,
  sql`truncate ${sql.table(table)}`,
  sql`select from ${sql.table(table)} for update`,
];

test.each([...AUDIT_TABLES])(
  'an owner of %s who is no superuser may read it and add to it, and not change it',
  async (table) => {
    const role = `owner_${randomBytes(6).toString('hex')}`;
    const { kysely } = app.database;
    await sql.raw(`create role ${role}`).execute(kysely);
    for (const statement of [...CHANGES(table), undefined]) {
      const attempt = kysely.transaction().execute(async (tx) => {
        await sql.raw(`grant usage, create on schema public to ${role}`).execute(tx);
        await sql.raw(`alter table ${table} owner to ${role}`).execute(tx);
        await sql.raw(`set local role ${role}`).execute(tx);
        await sql`select from ${sql.table(table)}`.execute(tx);
        await statement?.execute(tx);
        throw new Error('The statement was carried out.');
      });
      await expect(attempt).rejects.toThrow(statement ? `permission denied for table ${table}` : 'was carried out');
    }
    await sql.raw(`drop role ${role}`).execute(kysely);
  },
);

test('the functions that change the log run in a role of their own, with a fixed search path, and no other role may call them', async () => {
  const { rows } = await sql<{ name: string; owner: string; isDefiner: boolean; path: string[]; others: string[] }>`
    select proname as name, pg_get_userbyid(proowner) as owner, prosecdef as "isDefiner", proconfig as path,
      array(select r.rolname::text from pg_roles r where not r.rolsuper and r.rolname like 'portal\\_%'
        and has_function_privilege(r.oid, p.oid, 'execute')) as others
    from pg_proc p where pronamespace = 'audit'::regnamespace order by 1`.execute(app.database.kysely);
  expect(rows.map(({ name }) => name)).toEqual([
    'delete_entries',
    'erase_details',
    'extend',
    'move_head',
    'prune',
    'restart',
  ]);
  for (const { name: _, ...row } of rows)
    expect(row).toEqual({
      owner: 'portal_audit',
      isDefiner: true,
      path: ['search_path=pg_catalog, pg_temp'],
      others: ['portal_audit'],
    });
});

test('functions that a restore gave to another owner are recognised and repaired', async () => {
  const db = app.database.kysely as never;
  expect(await isAuditLogProtected(db)).toBe(true);
  await sql`alter function audit.move_head owner to current_user`.execute(app.database.kysely);
  expect(await isAuditLogProtected(db)).toBe(false);
  await protectAuditLog(db);
  expect(await isAuditLogProtected(db)).toBe(true);
});

if (inject('template').kind === 'server')
  describe('accounts that own their database and are no superusers', () => {
    /** A database of its own, which such an account migrates. */
    async function withAccount(work: (database: Database) => Promise<void>): Promise<void> {
      const { engine, kysely } = app.database;
      const url = new URL(engine.kind === 'server' ? String(engine.pool.options.connectionString) : '');
      const name = `account_${randomBytes(6).toString('hex')}`;
      const admin = (statement: string) => sql.raw(statement).execute(kysely);
      await admin(`create role ${name} login createrole`);
      const { rows } = await sql<{ version: number }>`
        select current_setting('server_version_num')::int as version`.execute(kysely);
      // Later versions let an account grant only the roles that it administers.
      if ((rows[0]?.version ?? 0) >= 160_000) {
        await admin(`grant portal_school, portal_platform, portal_idle to ${name} with admin option`);
        await admin(`grant portal_audit to ${name} with admin true, inherit false, set false`);
      }
      await admin(`create database ${name} owner ${name}`);
      url.username = name;
      url.pathname = `/${name}`;
      const database = connectServer(url.href, { connections: 3, startsIdle: true, statementTimeoutMs: 60_000 });
      try {
        await prepareDatabase(database, async () => undefined);
        await work(database);
      } finally {
        await database.close();
        await admin(`drop database ${name} with (force)`);
        await admin(`drop role ${name}`);
      }
    }

    test('an account that owns the database seals, erases and prunes with the functions, and changes nothing without them', async () => {
      const { config } = app.services;
      await withAccount(async (database) => {
        const id = await inPlatform(database, (db) =>
          insertSchool(db, config, { name: 'Elm End', urn: null, terms_accepted_at: null, created_at: NOW }, NOW),
        );
        const add = () =>
          inSchool(database, id, (db) =>
            recordChange(db, NO_ACTOR, NOW, {
              action: 'school_founded',
              subjectKind: 'school',
              subjectId: id,
              details: { terms_accepted: true },
            }),
          );
        for (let n = 0; n < 3; n += 1) await add();
        for (const table of AUDIT_TABLES)
          for (const change of CHANGES(table))
            await expect(inPlatform(database, (db) => change.execute(db.tx))).rejects.toThrow('permission denied');
        await expect(
          inPlatform(database, async ({ tx }) => {
            await sql`set local role portal_audit`.execute(tx);
            await sql`select`.execute(tx);
          }),
        ).rejects.toThrow('permission denied to set role');

        const verify = () => readInPlatform(database, (db) => verifySchool(db, id, NOW, config));
        const clean = { breaches: [], notices: [] };
        expect(await inPlatform(database, (db) => sealPending(db, config, id, NOW))).toEqual({ count: 3 });
        const [entry] = await readInPlatform(database, ({ tx }) =>
          tx.selectFrom('audit_log').select('id').orderBy('id').execute(),
        );
        const erasure = { config, receipt: Buffer.alloc(32, 7) };
        expect(await inPlatform(database, (db) => eraseDetails(db, id, [entry!.id], erasure))).toBe(1);
        expect(await verify()).toEqual(clean);
        expect(await inPlatform(database, (db) => pruneEntries(db, config, id, NOW))).toEqual({ count: 3 });
        expect(await verify()).toEqual(clean);
        await add();
        await inPlatform(database, (db) => restartChain(db, config, id, NOW));
        expect(await inPlatform(database, (db) => sealPending(db, config, id, NOW))).toEqual({ count: 1 });
        expect(await inPlatform(database, (db) => deleteEntries(db, id, 10))).toBe(1);
        await inPlatform(database, (db) => endChain(db, config, id));
        expect(await verify()).toEqual(clean);
        // A start finds nothing to repair.
        await prepareDatabase(database, async () => undefined);
      });
    });
  });
