import { type Kysely, type QueryExecutorProvider, sql } from 'kysely';
import { AUDIT_ROLE, protectAuditLog } from './audit-functions.ts';
import { retryOnLockTimeout, type RetryOptions } from './lock-retries.ts';
import { ONE_SHARD_AT_A_TIME } from './statements.ts';
import { CATALOGUE_TABLES } from './table-kinds.ts';
import type { Tables } from './tables.ts';

/** The role of `inSchool()`: it sees only the rows of the school that the transaction names. */
export const SCHOOL_ROLE = 'portal_school';
/** The role whose members see all rows. The server's database account is a member. */
export const PLATFORM_ROLE = 'portal_platform';
/**
 * The role in which a connection starts. It owns nothing and may read nothing, so that a statement outside the
 * transaction helpers is rejected. The tables' owner is not subject to row-level security.
 */
export const IDLE_ROLE = 'portal_idle';

const ALL_RIGHTS = 'select, insert, update, delete';
/** What the school's role may do in tables with a school where it does not have all rights; null for nothing. */
const RESTRICTED_RIGHTS: Record<string, string | null> = {
  audit_alarms: null,
  audit_chains: 'insert',
  audit_log: 'select, insert',
  audit_pending: 'insert',
  audit_seals: null,
  billing_notices: 'select, insert',
  credit_notes: 'select, insert',
  invoices: 'select, insert, update (status, paid_at, closed_at)',
  terms_acceptances: 'select, insert',
  user_schools: 'select',
};

/** The roles of which the account is a member, and how they are created: a cluster logs in at its workers as the first two. */
const ROLES = { [SCHOOL_ROLE]: 'login', [PLATFORM_ROLE]: 'login', [IDLE_ROLE]: 'nologin' };

/** Creates the roles, which belong to the server and not to a database, and makes the account a member of those in `ROLES`. */
export async function createRoles(db: QueryExecutorProvider): Promise<void> {
  for (const [role, login] of Object.entries({ ...ROLES, [AUDIT_ROLE]: 'login' })) {
    const known = await sql`select 1 from pg_roles where rolname = ${role}`.execute(db);
    // Roles belong to the whole server: another process may have just created this one.
    if (known.rows.length === 0)
      await sql
        .raw(
          `do $$ begin create role ${role} ${login}; exception when duplicate_object or unique_violation then null; end $$`,
        )
        .execute(db);
  }
  // Skipped where it is granted already: processes of other databases on the server may be changing the same roles.
  for (const role of Object.keys(ROLES)) {
    const member = await sql<{ granted: boolean }>`
      select exists (select from pg_auth_members where roleid = ${role}::regrole
        and member = current_user::regrole) as granted`.execute(db);
    if (!member.rows[0]?.granted) await sql.raw(`grant ${role} to current_user`).execute(db);
  }
}

/**
 * The statements that put a school table under row-level security and grant the school's role access. It is not forced
 * on the owner: a cluster copies and moves rows as the owner. Safe to run again.
 */
export function protectionStatements(name: string, column = 'school_id'): string[] {
  const rights = name in RESTRICTED_RIGHTS ? RESTRICTED_RIGHTS[name] : ALL_RIGHTS;
  return [
    `alter table ${name} enable row level security`,
    `alter table ${name} no force row level security`,
    `drop policy if exists own_school on ${name}`,
    `create policy own_school on ${name} to ${SCHOOL_ROLE} using (${column} = nullif(current_setting('app.school_id', true), '')::bigint)`,
    `drop policy if exists platform on ${name}`,
    `create policy platform on ${name} to ${PLATFORM_ROLE} using (true)`,
    ...(rights ? [`grant ${rights} on ${name} to ${SCHOOL_ROLE}`] : []),
  ];
}

/** Accounts belong to no school: a school sees those on its staff, without their logins. */
const USER_PROTECTION = [
  'alter table users enable row level security',
  'alter table users no force row level security',
  'drop policy if exists own_school on users',
  `create policy own_school on users to ${SCHOOL_ROLE} using (exists (select from user_schools m where m.user_id = users.id))`,
  'drop policy if exists platform on users',
  `create policy platform on users to ${PLATFORM_ROLE} using (true)`,
  `grant select (id, first_name, last_name, email, email_key, email_confirmed_at) on users to ${SCHOOL_ROLE}`,
];

/** Tables with a `school_id`, and `schools` itself: the column that names the school. */
async function listSchoolTables(db: QueryExecutorProvider): Promise<{ name: string; column: string }[]> {
  const { rows } = await sql<{ name: string; column: string }>`
    select relname as name, attname as "column"
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not attisdropped
      and (attname = 'school_id' or (relname = 'schools' and attname = 'id'))
    order by relname`.execute(db);
  return rows;
}

/** School tables that are not protected as `protectTables` does: a start was killed, or an older version protected them. */
export async function listUnprotectedTables(db: QueryExecutorProvider): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where oid in (select attrelid from pg_attribute where attname = 'school_id' and not attisdropped
        union select unnest(array['schools', 'users']::regclass[]))
      and relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and (not relrowsecurity or relforcerowsecurity)
    order by relname`.execute(db);
  return rows.map(({ name }) => name);
}

/**
 * Puts every school table under row-level security and grants the school role what it needs. Safe to run again;
 * runs after migrations, so that a new school table cannot be forgotten. Each table has a transaction of its own:
 * its exclusive lock is held for an instant.
 */
export async function protectTables(db: Kysely<Tables>, retry: RetryOptions = {}): Promise<void> {
  const run = (name: string, statements: readonly string[]) =>
    retryOnLockTimeout(
      db,
      `Protecting ${name}`,
      async (tx) => {
        for (const statement of [ONE_SHARD_AT_A_TIME, ...statements]) await sql.raw(statement).execute(tx);
      },
      retry,
    );
  await db.transaction().execute(createRoles);
  await run('the schema', [`grant usage on schema public to ${SCHOOL_ROLE}`]);
  for (const { name, column } of await listSchoolTables(db)) await run(name, protectionStatements(name, column));
  await run('users', USER_PROTECTION);
  await retryOnLockTimeout(db, 'Protecting the audit log', protectAuditLog, retry);
  await run('the catalogue', [
    ...CATALOGUE_TABLES.map((name) => `grant select on ${name} to ${SCHOOL_ROLE}`),
    `grant insert, select (id) on outbox to ${SCHOOL_ROLE}`,
  ]);
}
