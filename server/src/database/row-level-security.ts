import { type Kysely, sql } from 'kysely';
import { ONE_SHARD_AT_A_TIME } from './statements.ts';
import { CATALOGUE_TABLES } from './table-kinds.ts';

/** The role that `inSchool()` takes: it sees the rows of the school that the transaction names, and no others. */
export const SCHOOL_ROLE = 'portal_school';
/** The role whose members see all rows. The account that the server connects as is its member. */
export const PLATFORM_ROLE = 'portal_platform';

/** Tables into which work in a school may only write. */
const WRITE_ONLY = ['outbox'];
/** School tables that are never changed once written. */
const APPEND_ONLY = ['audit_log', 'terms_acceptances', 'credit_notes', 'billing_notices'];
/** School tables of whose rows only these columns change once they are written; no row goes. */
const CHANGEABLE: Record<string, string> = { invoices: 'status, paid_at, closed_at' };

/** Makes the two roles, which belong to the server and not to a database, and takes part in both. */
export async function createRoles(db: Kysely<unknown>): Promise<void> {
  for (const role of [SCHOOL_ROLE, PLATFORM_ROLE]) {
    const known = await sql`select 1 from pg_roles where rolname = ${role}`.execute(db);
    // Roles belong to the whole cluster: another process may have made this one a moment ago.
    if (known.rows.length === 0)
      await sql
        .raw(
          `do $$ begin create role ${role} login; exception when duplicate_object or unique_violation then null; end $$`,
        )
        .execute(db);
  }
  // Not again where it holds: processes of other databases of the cluster may change the same roles now.
  for (const role of [PLATFORM_ROLE, SCHOOL_ROLE]) {
    const member = await sql<{ granted: boolean }>`
      select exists (select from pg_auth_members where roleid = ${role}::regrole
        and member = current_user::regrole) as granted`.execute(db);
    if (!member.rows[0]?.granted) await sql.raw(`grant ${role} to current_user`).execute(db);
  }
}

/** What puts a school table under forced row-level security and lets the school's role work in it. Safe to run again. */
export function protectingStatements(name: string, column = 'school_id'): string[] {
  const columns = CHANGEABLE[name];
  const rights = columns
    ? `select, insert, update (${columns})`
    : APPEND_ONLY.includes(name)
      ? 'select, insert'
      : 'select, insert, update, delete';
  return [
    // It had more before its rows were fixed.
    ...(columns ? [`revoke update, delete on ${name} from ${SCHOOL_ROLE}`] : []),
    `alter table ${name} enable row level security`,
    `alter table ${name} force row level security`,
    `drop policy if exists own_school on ${name}`,
    `create policy own_school on ${name} to ${SCHOOL_ROLE} using (${column} = nullif(current_setting('app.school_id', true), '')::bigint)`,
    `drop policy if exists platform on ${name}`,
    `create policy platform on ${name} to ${PLATFORM_ROLE} using (true)`,
    `grant ${rights} on ${name} to ${SCHOOL_ROLE}`,
  ];
}

/**
 * Puts every table that has a `school_id` (and `schools` itself) under forced row-level security
 * and grants the school role what it needs. Safe to run again; runs after each migration,
 * so that a new school table cannot be forgotten.
 */
export async function applyRowLevelSecurity(db: Kysely<unknown>): Promise<void> {
  await sql.raw(ONE_SHARD_AT_A_TIME).execute(db);
  await createRoles(db);
  await sql.raw(`grant usage on schema public to ${SCHOOL_ROLE}`).execute(db);

  const { rows: tables } = await sql<{ name: string; column_name: string }>`
    select table_name as name, column_name from information_schema.columns
    where table_schema = 'public' and (column_name = 'school_id' or (table_name = 'schools' and column_name = 'id'))
    order by table_name`.execute(db);
  for (const { name, column_name } of tables)
    for (const statement of protectingStatements(name, column_name)) await sql.raw(statement).execute(db);
  for (const name of CATALOGUE_TABLES) await sql.raw(`grant select on ${name} to ${SCHOOL_ROLE}`).execute(db);
  for (const name of WRITE_ONLY) await sql.raw(`grant insert, select (id) on ${name} to ${SCHOOL_ROLE}`).execute(db);
}
