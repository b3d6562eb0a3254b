import { sql } from 'kysely';
import { describe, expect, inject, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { inPlatform, readInPlatform } from './platform.ts';
import { IDLE_ROLE, PLATFORM_ROLE, SCHOOL_ROLE } from './row-level-security.ts';
import { inSchool } from './school.ts';

const app = testApp();

test('the roles of the portal own nothing, and the idle role has no right to any table', async () => {
  const { rows: owned } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_roles r on r.oid = c.relowner
    where r.rolname in (${IDLE_ROLE}, ${SCHOOL_ROLE}, ${PLATFORM_ROLE})
    union all select p.proname from pg_proc p join pg_roles r on r.oid = p.proowner
    where r.rolname in (${IDLE_ROLE}, ${SCHOOL_ROLE}, ${PLATFORM_ROLE})`.execute(app.database.kysely);
  expect(owned).toEqual([]);
  const { rows: readable } = await sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'S', 'f') and n.nspname !~ '^pg_|^information_schema$'
      and case when c.relkind = 'S' then has_sequence_privilege(${IDLE_ROLE}, c.oid, 'usage, select, update')
        else has_table_privilege(${IDLE_ROLE}, c.oid, 'select, insert, update, delete, truncate, references, trigger')
          or has_any_column_privilege(${IDLE_ROLE}, c.oid, 'select, insert, update, references') end`.execute(
    app.database.kysely,
  );
  expect(readable).toEqual([]);
  const { rows: memberships } = await sql`
    select from pg_auth_members where member = ${IDLE_ROLE}::regrole`.execute(app.database.kysely);
  expect(memberships).toHaveLength(0);
});

// The embedded database has one connection, which does not start in the idle role.
if (inject('template').kind === 'server')
  describe('a connection that serves requests', () => {
    const outside = () => app.services.database.kysely;
    const whoAmI = async () =>
      (await sql<{ role: string }>`select current_user::text as role`.execute(outside())).rows[0]?.role;

    test('a connection that serves requests starts in a role without rights, and returns to that role after each transaction', async () => {
      const school = await app.build.school();
      const { database } = app.services;
      await expect(outside().selectFrom('pupils').select('id').execute()).rejects.toMatchObject({ code: '42501' });
      await expect(sql`select from sessions`.execute(outside())).rejects.toMatchObject({ code: '42501' });
      await expect(outside().deleteFrom('books').execute()).rejects.toMatchObject({ code: '42501' });
      await expect(sql`select from pgboss.job`.execute(outside())).rejects.toMatchObject({ code: '42501' });
      await expect(sql`create table mine (id int)`.execute(outside())).rejects.toMatchObject({ code: '42501' });
      const read = async () => {
        expect(
          await inSchool(database, school.id, ({ tx }) => tx.selectFrom('pupils').select('id').execute()),
        ).not.toEqual([]);
        expect(await readInPlatform(database, ({ tx }) => tx.selectFrom('schools').select('id').execute())).not.toEqual(
          [],
        );
        await expect(inPlatform(database, ({ tx }) => sql`select 1 / 0`.execute(tx))).rejects.toMatchObject({
          code: '22012',
        });
      };
      // More at once than there are connections.
      await Promise.all(Array.from({ length: 12 }, read));
      expect(await Promise.all(Array.from({ length: 12 }, whoAmI))).toEqual(Array<string>(12).fill(IDLE_ROLE));
    });

    test("the owner's role is reached only by the transaction helpers and by the job queue", async () => {
      const { engine } = app.services.database;
      if (engine.kind !== 'server') throw new Error('The test needs a server.');
      const { rows } = await engine.ownerPool.query<{ own: boolean }>('select current_user = session_user as own');
      expect(rows).toEqual([{ own: true }]);
      expect(engine.ownerPool).not.toBe(engine.pool);
    });
  });
