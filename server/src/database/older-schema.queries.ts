import { type Kysely, sql } from 'kysely';
import { INITIAL_SCHEMA } from './migrations/0001_initial_schema.ts';
import { createInitialSchema, hasOtherSchema } from './migrations.ts';
import { runStatements } from './statements.ts';
import type { Tables } from './tables.ts';

/** The last migration before the initial schema replaced all of them. Backups of that version can be restored. */
export const LAST_UNRELEASED = '0223_deleted_classes';

/** The tables and columns of unreleased versions that no longer exist, because only their own rows needed them. */
const REMOVED = [
  'need_dismissals',
  'record_views',
  'school_closings.user_ids',
  'subscriptions.payment_provider_subscription_id',
  'subscriptions.renewal_duration_unit',
  'subscriptions.renewal_status',
  'users.pending_email',
  'users.school_id',
  'year_ends',
];

/** Gives tables, columns and values their present names, and stores which purchases were reverted. */
const RENAMES = `
${['classes', 'connections', 'pupils', 'sources']
  .map((name) => `alter table roster_${name} rename to school_records_${name}`)
  .join('\n\n')}

alter table roster_runs rename to runs

alter table roster_rows rename to run_rows

alter table school_records_pupils add column year_group text

update school_records_pupils set year_group = case when school_year = 0 then 'R' else school_year::text end
where school_year between 0 and 13

alter table school_records_pupils drop column school_year

alter table runs rename column roster to records

alter table runs rename column decided_at to closed_at

alter table runs rename column decided_by to closed_by

delete from runs where state = 'proposed'

alter table runs drop constraint roster_runs_state_check

update runs set state = 'discarded' where state = 'rejected'

update runs set counts = counts || '{"year_groups": 0}' where counts is not null

update run_rows set content = jsonb_build_object('pupil', content) where jsonb_exists(content, 'after')

update run_rows set content = jsonb_build_object('class', jsonb_build_object(
  'before', case when content ->> 'from' is not null then jsonb_build_object('name', content -> 'from', 'teachers', '[]'::jsonb) end,
  'after', jsonb_build_object('name', content -> 'to', 'teachers', '[]'::jsonb)))
where jsonb_exists(content, 'to')

alter table subscriptions add column reverted_at timestamptz

update subscriptions b set reverted_at = coalesce(b.ended_at, b.expires_at)
from invoices i
where i.school_id = b.school_id and i.subscription_id = b.id and i.status in ('uncollectible', 'credited')
  and not exists (select from subscriptions n where n.school_id = b.school_id and n.replaces_id = b.id)
  and (b.ended_at is not null or b.expires_at < (i.content -> 'period' ->> 'to')::date)
`;

/** Every account belonged to at most one school. */
const ONE_SCHOOL_EACH = `
  insert into user_schools (user_id, school_id, entered_at)
  select id, school_id, created_at from older.users where school_id is not null`;

interface Column {
  name: string;
  isIdentity: boolean;
}

async function isLastUnreleased(db: Kysely<Tables>): Promise<boolean> {
  const { rows } = await sql`select from kysely_migration where name = ${LAST_UNRELEASED}`.execute(db);
  return rows.length > 0;
}

/** The columns of each table of a schema. */
async function listColumns(db: Kysely<Tables>, schema: string): Promise<Map<string, Column[]>> {
  const { rows } = await sql<Column & { table: string }>`
    select c.relname as table, a.attname as name, a.attidentity <> '' as "isIdentity"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = ${schema}::regnamespace and c.relkind = 'r' and c.relname not like 'kysely\\_%'
    order by c.relname, a.attnum`.execute(db);
  return Map.groupBy(rows, ({ table }) => table);
}

/** The tables and columns that this version does not have and does not know as removed. */
function findUnknown(old: Map<string, Column[]>, current: Map<string, Column[]>): string[] {
  return [...old].flatMap(([table, columns]) => {
    const own = current.get(table);
    const missing = own
      ? columns.filter(({ name }) => own.every((column) => column.name !== name)).map(({ name }) => `${table}.${name}`)
      : [table];
    return missing.filter((name) => !REMOVED.includes(name));
  });
}

async function copyTable(tx: Kysely<Tables>, table: string, columns: Column[]): Promise<void> {
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  const [source, target] = [sql.table(`older.${table}`), sql.table(`public.${table}`)];
  await sql`delete from ${target}`.execute(tx);
  await sql`insert into ${target} (${names}) overriding system value select ${names} from ${source}`.execute(tx);
  for (const { name } of columns.filter(({ isIdentity }) => isIdentity)) {
    const { rows } = await sql<{ sequence: string }>`
      select pg_get_serial_sequence(${`older.${table}`}, ${name}) as sequence`.execute(tx);
    await sql`select setval(pg_get_serial_sequence(${`public.${table}`}, ${name}), last_value, is_called)
      from ${sql.raw(rows[0]?.sequence ?? '')}`.execute(tx);
  }
}

/**
 * Brings the rows of a restored backup of an unreleased version into the schema of this version, in one transaction.
 * Leaves a database with the schema of this version unchanged. Throws if rows would be lost.
 */
export async function moveToCurrentSchema(db: Kysely<Tables>): Promise<void> {
  if (!(await hasOtherSchema(db))) return;
  await db.transaction().execute(async (tx) => {
    if (await isLastUnreleased(tx)) await runStatements(tx, RENAMES);
    await sql`create schema older`.execute(tx);
    const old = await listColumns(tx, 'public');
    for (const table of old.keys()) await sql`alter table ${sql.table(table)} set schema older`.execute(tx);
    await sql`drop table kysely_migration`.execute(tx);
    await createInitialSchema(tx);
    const current = await listColumns(tx, 'public');
    const unknown = findUnknown(old, current);
    if (unknown.length > 0)
      throw new Error(
        `This backup was made by a version whose ${unknown.join(', ')} this version cannot store. Drop the database, and restore the backup with that version.`,
      );
    // A table is created after those that it references.
    for (const [, table = ''] of INITIAL_SCHEMA.matchAll(/^create (?:unlogged )?table (\w+)/gm)) {
      const names = old.get(table)?.map(({ name }) => name) ?? [];
      const shared = current.get(table)?.filter(({ name }) => names.includes(name)) ?? [];
      if (shared.length > 0) await copyTable(tx, table, shared);
    }
    if (!old.has('user_schools')) await sql.raw(ONE_SCHOOL_EACH).execute(tx);
    await sql`drop schema older cascade`.execute(tx);
  });
}
