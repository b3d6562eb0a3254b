import { createHash } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import * as initialSchema from './migrations/0001_initial_schema.ts';
import { isAuditLogProtected } from './audit-functions.ts';
import { retryOnLockTimeout, type RetryOptions } from './lock-retries.ts';
import { listUnprotectedTables, protectTables } from './row-level-security.ts';
import type { Tables } from './tables.ts';

/** A change of the schema. It runs in a transaction of its own, unless it builds indexes concurrently. */
export interface Migration {
  up(db: Kysely<unknown>): Promise<void>;
  /** False for `create index concurrently`, which cannot run in a transaction. Such a migration can run again. */
  runsInTransaction?: boolean;
}

const INITIAL = '0001_initial_schema';

const migrations: Record<string, Migration> = {
  '0001_initial_schema': initialSchema,
};

/**
 * The last migration of the previous release, which serves beside this version during an upgrade. Until 1.0.0 it is the
 * initial schema: docs/decisions/releases-side-by-side.md
 */
export const RELEASED_SCHEMA = INITIAL;

/**
 * Identifies the statements of the initial schema, without their comments. Until 1.0.0 a change of the schema edits
 * them, and a database with other ones is rejected.
 */
const initialDigest = createHash('sha256')
  .update(initialSchema.INITIAL_SCHEMA.replaceAll(/^ *--.*$/gm, '').replaceAll(/\s+/g, ' '))
  .digest('hex');

/** The names of the migrations in the order in which they run. */
export const migrationNames: readonly string[] = Object.keys(migrations);

/** Returns whether this version knows a migration; the database of a newer version may have others. */
export const isKnownMigration = (name: string): boolean => name in migrations;

interface MigrationRecord {
  name: string;
  /** The last migration of the oldest version that works on the schema from then on. */
  oldestCompatible: string | null;
  /** Of the initial schema. */
  digest: string | null;
}

/** The migrations that ran on this database. */
async function listExecuted(db: Kysely<Tables>): Promise<MigrationRecord[]> {
  const { rows: known } = await sql`select 1 from pg_class where oid = to_regclass('kysely_migration')`.execute(db);
  if (known.length === 0) return [];
  // By way of JSON, because the record of an unreleased version may lack the columns.
  const { rows } = await sql<MigrationRecord>`
    select name, to_jsonb(m) ->> 'oldest_compatible' as "oldestCompatible", to_jsonb(m) ->> 'digest' as digest
    from kysely_migration m`.execute(db);
  return rows;
}

const isOfOtherSchema = ({ name, digest }: MigrationRecord): boolean =>
  name.startsWith('0001_') && digest !== initialDigest;

/** Returns whether an unreleased version with another initial schema created this database. */
export const hasOtherSchema = async (db: Kysely<Tables>): Promise<boolean> =>
  (await listExecuted(db)).some(isOfOtherSchema);

/** Creates the record of migrations, which has the form of Kysely's own migrator. */
const createRecord = (db: Kysely<Tables>) =>
  sql`create table if not exists kysely_migration (
    name varchar(255) not null primary key, timestamp varchar(255) not null,
    oldest_compatible varchar(255), digest varchar(255))`.execute(db);

async function runMigration(db: Kysely<Tables>, name: string, migration: Migration): Promise<void> {
  await migration.up(db as unknown as Kysely<unknown>);
  await sql`insert into kysely_migration (name, timestamp, oldest_compatible, digest)
    values (${name}, ${new Date().toISOString()}, ${RELEASED_SCHEMA}, ${name === INITIAL ? initialDigest : null})`.execute(
    db,
  );
}

/** Creates the tables of the initial schema, in a transaction of the caller. */
export async function createInitialSchema(tx: Kysely<Tables>): Promise<void> {
  await createRecord(tx);
  await runMigration(tx, INITIAL, initialSchema);
}

export interface MigrateOptions extends RetryOptions {
  /** Migrations besides this version's, for tests. */
  more?: Record<string, Migration>;
  /** The folder of an embedded database, for a message. */
  dataDir?: string | undefined;
}

/**
 * Runs the migrations that are missing, each in a transaction of its own, then protects the tables. A migration waits
 * for a lock for seconds only, because every query on the table queues behind it, and tries again later.
 * A database on which only the next release ran is left as it is. Throws the migration's own error, and when the
 * database is further ahead of this version or has another initial schema.
 * @param until the last migration that runs, for tests of upgrades, where the tables stay as they are; all when absent
 */
export async function migrate(
  db: Kysely<Tables>,
  until?: string,
  { more = {}, dataDir, ...retry }: MigrateOptions = {},
): Promise<void> {
  const all = { ...migrations, ...more };
  const records = await listExecuted(db);
  if (records.some(isOfOtherSchema))
    throw new Error(
      dataDir
        ? `An unreleased version of the portal with another schema created the data folder: delete ${dataDir} to start again with the demonstration.`
        : 'An unreleased version of the portal with another schema created the database: make a backup with that version (npm run backup), and restore it with this one to an empty database (npm run restore).',
    );
  const newer = records.filter(({ name }) => !(name in all));
  if (newer.some(({ oldestCompatible }) => !oldestCompatible || !isKnownMigration(oldestCompatible)))
    throw new Error(
      'The database was used by a newer version of the portal. Start that version or a later one, or name another database.',
    );
  if (newer.length > 0) {
    retry.onProgress?.('The database has the schema of the next version, with which this version is compatible.');
    return;
  }
  const executed = new Set(records.map(({ name }) => name));
  await createRecord(db);
  const last = until ?? '9999';
  // A version may bring a migration whose number lies before one that ran already: docs/decisions/releases-side-by-side.md
  const missing = Object.entries(all).filter(([name]) => !executed.has(name) && name <= last);
  for (const [index, [name, migration]] of missing.entries()) {
    if (executed.size > 0) retry.onProgress?.(`Migration ${index + 1} of ${missing.length}: ${name} …`);
    if (migration.runsInTransaction === false)
      await db.connection().execute((connection) => runMigration(connection, name, migration));
    else await retryOnLockTimeout(db, name, (tx) => runMigration(tx, name, migration), retry);
  }
  if (until) return;
  const isProtected = (await listUnprotectedTables(db)).length === 0 && (await isAuditLogProtected(db));
  if (missing.length > 0 || !isProtected) await protectTables(db, retry);
}

/** Returns whether a start would change the schema, or reject it. */
export async function needsMigration(db: Kysely<Tables>): Promise<boolean> {
  const records = await listExecuted(db);
  const executed = new Set(records.map(({ name }) => name));
  return records.some(isOfOtherSchema) || migrationNames.some((name) => !executed.has(name));
}
