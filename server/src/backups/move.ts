import { type Kysely, sql } from 'kysely';
import { AUDIT_TABLES } from '../database/audit-functions.ts';
import { type Database, prepareDatabase } from '../database/database.ts';
import {
  checkInvariants,
  countEverything,
  countRows,
  type Finding,
  listTables,
} from '../database/invariants.queries.ts';
import type { Check } from './after-restore.ts';
import { needsMigration } from '../database/migrations.ts';
import { readInPlatform } from '../database/platform.ts';
import type { Tables } from '../database/tables.ts';

/**
 * Tables that each database fills itself: the record of migrations, the lock of Kysely's own migrator, which earlier
 * versions used, and the queue's version and statistics.
 */
const OWN_TABLES = [
  'public.kysely_migration',
  'public.kysely_migration_lock',
  'pgboss.version',
  'pgboss.bam',
  'pgboss.queue_stats',
];

const BATCH_SIZE = 1000;

interface Table {
  /** With its schema, quoted. */
  name: string;
  columns: { name: string; type: string }[];
}

/** The tables that are copied, in a fixed order. Counters of rate limits, which are unlogged, stay behind. */
async function listCopiedTables(db: Kysely<Tables>): Promise<Table[]> {
  const { rows } = await sql<Table>`
    select format('%I.%I', n.nspname, c.relname) as name,
      json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attname)
        as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname in ('public', 'pgboss') and c.relkind in ('r', 'p') and not c.relispartition
      and c.relpersistence = 'p' and a.attnum > 0 and not a.attisdropped
    group by 1 order by 1`.execute(db);
  return rows.filter(({ name }) => !OWN_TABLES.includes(name));
}

/** Drops the foreign keys of all copied tables and returns the statements that add them again. */
async function dropForeignKeys(db: Kysely<Tables>): Promise<string[]> {
  const { rows } = await sql<{ drop: string; add: string }>`
    select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as add
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace in (select oid from pg_namespace where nspname in ('public', 'pgboss'))
    order by 1`.execute(db);
  for (const { drop } of rows) await sql.raw(drop).execute(db);
  return rows.map(({ add }) => add);
}

/** Copies the rows as text, a form in which both engines write and read each type without loss. */
async function copyRows(source: Kysely<Tables>, target: Kysely<Tables>, { name, columns }: Table): Promise<void> {
  const texts = columns.map((column, index) => sql`${sql.ref(column.name)}::text as ${sql.ref(`c${index}`)}`);
  await sql`declare moved_rows no scroll cursor for select ${sql.join(texts)} from ${sql.raw(name)}`.execute(source);
  const values = columns.map(({ type }, index) => sql`${sql.ref(`c${index}`)}::${sql.raw(type)}`);
  const names = columns.map((_, index) => sql.ref(`c${index}`));
  for (;;) {
    const { rows } = await sql
      .raw<Record<string, string | null>>(`fetch ${BATCH_SIZE} from moved_rows`)
      .execute(source);
    if (rows.length === 0) break;
    const arrays = columns.map((_, index) => sql`${rows.map((row) => row[`c${index}`])}::text[]`);
    await sql`insert into ${sql.raw(name)} (${sql.join(columns.map((column) => sql.ref(column.name)))})
      overriding system value
      select ${sql.join(values)} from unnest(${sql.join(arrays)}) as r(${sql.join(names)})`.execute(target);
  }
  await sql`close moved_rows`.execute(source);
}

/** Makes the target's sequences continue where those of the source are. */
async function copySequences(source: Kysely<Tables>, target: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string; last: string }>`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as last from pg_sequences
    where last_value is not null and schemaname in ('public', 'pgboss')`.execute(source);
  for (const { name, last } of rows) await sql`select setval(${name}::regclass, ${last}::bigint)`.execute(target);
}

async function assertSameTables(source: Table[], target: Table[]): Promise<void> {
  const describe = ({ name, columns }: Table) => `${name} (${columns.map((column) => column.name).join(', ')})`;
  const found = new Set(target.map(describe));
  const different = source.find((table) => !found.has(describe(table)));
  if (different) throw new Error(`The target has no table ${describe(different)}.`);
}

async function copyEverything(source: Kysely<Tables>, target: Kysely<Tables>): Promise<Finding> {
  const tables = await listCopiedTables(source);
  await assertSameTables(tables, await listCopiedTables(target));
  const foreignKeys = await dropForeignKeys(target);
  // The account may not truncate the audit log, which is empty in a new database.
  const filled = tables.filter(({ name }) => !AUDIT_TABLES.some((table) => name === `public.${table}`));
  await sql.raw(`truncate ${filled.map(({ name }) => name).join(', ')}`).execute(target);
  for (const table of tables) await copyRows(source, target, table);
  for (const statement of foreignKeys) await sql.raw(statement).execute(target);
  await copySequences(source, target);
  const names = tables.map(({ name }) => name);
  const [before, after] = [await countRows(source, names), await countRows(target, names)];
  return {
    rule: 'each table has as many rows as before',
    breaches: [...before].filter(([name, count]) => after.get(name) !== count).map(([name]) => name),
  };
}

interface MoveReport {
  counts: { schools: number; pupils: number; sessions: number };
  findings: Finding[];
}

/** Throws if the database has another version's schema. Checked before anything is written to the target. */
export async function assertCurrentSchema({ kysely }: Database): Promise<void> {
  if (await needsMigration(kysely))
    throw new Error('The database has the schema of another version. Start this version on it once, then stop it.');
}

/** Throws if the database has tables: it would be overwritten. */
async function assertEmpty(database: Database): Promise<void> {
  const [found] = await readInPlatform(database, listTables);
  if (found) throw new Error(`The target is not empty: it has the table ${found}. Nothing has changed.`);
}

/**
 * Copies all rows of the embedded database to an empty one on a server, and checks the result. The source stays as it is.
 * @param source has the current schema
 * @param installQueue creates the tables of the job queue
 * @param check something outside the database that the rows need
 */
export async function moveDatabase(
  source: Database,
  target: Database,
  installQueue: (database: Database) => Promise<void>,
  check: Check,
): Promise<MoveReport> {
  await assertEmpty(target);
  await prepareDatabase(target, () => installQueue(target));
  const copied = await source.kysely
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((from) => target.kysely.transaction().execute((to) => copyEverything(from, to)));
  await sql`analyze`.execute(target.kysely);
  return readInPlatform(target, async (db) => ({
    counts: await countEverything(db),
    findings: [copied, ...(await checkInvariants(db)), await check(db)],
  }));
}
