import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import type { Database } from '../database/database.ts';
import type { Tables } from '../database/tables.ts';

/*
 * Databases that commands and jobs create beside the live one on the same server. A comment on the database states what
 * it is for, from before the first row until its end. docs/decisions/restored-databases.md
 */

export const MARKS = {
  incomplete: 'school-portal: the restore into this database is not complete.',
  copy: 'school-portal: a copy beside the live portal. No jobs run on it; npm run after-restore makes it the live one.',
  scratch: 'school-portal: scratch database of the job restore-test, which drops it.',
} as const;

type Mark = keyof typeof MARKS;

/** Also the most that PostgreSQL distinguishes: it cuts longer names off. */
const MAX_NAME_LENGTH = 63;
const NAME = /^[a-z][a-z0-9_]*$/;

/** The database in a URL; as in every client, the account's name where the URL has none. */
export const databaseIn = (url: string): string => new pg.Client({ connectionString: url }).database ?? '';

/** The URL of another database on the same server. */
export function atDatabase(url: string, name: string): string {
  const at = new URL(url);
  at.pathname = `/${encodeURIComponent(name)}`;
  // libpq would prefer it to the path.
  at.searchParams.delete('dbname');
  return at.href;
}

/** The name of a database beside the live one, cut so that it fits. */
export const nameBeside = (live: string, suffix: string): string =>
  `${live.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`;

/** The scratch database of the job `restore-test`. */
export const scratchNameOf = (url: string): string => nameBeside(databaseIn(url), '_restore_test');

/** Throws, with a text for the operator, if a copy may not have this name. */
export function assertCopyName(name: string, liveUrl: string): void {
  if (!NAME.test(name) || name.length > MAX_NAME_LENGTH)
    throw new Error(
      `--into takes the name of a database: a lower-case letter, then lower-case letters, digits and _, at most ${MAX_NAME_LENGTH} characters. Nothing has changed.`,
    );
  if (name === databaseIn(liveUrl))
    throw new Error(`${name} is the database in DATABASE_URL. Choose another name for the copy. Nothing has changed.`);
  if (name === 'postgres' || name.startsWith('template') || name === scratchNameOf(liveUrl))
    throw new Error(`The database ${name} is not for copies. Choose another name. Nothing has changed.`);
}

/** A database as its server describes it. */
export interface FoundDatabase {
  mark: Mark | undefined;
  isOwn: boolean;
  connectionLimit: number;
  hasComment: boolean;
}

const markOf = (comment: string | null): Mark | undefined =>
  (Object.keys(MARKS) as Mark[]).find((mark) => MARKS[mark] === comment);

/** Undefined if the server has no database of this name. */
export async function findDatabase(db: Kysely<Tables>, name: string): Promise<FoundDatabase | undefined> {
  const { rows } = await sql<{ comment: string | null; is_own: boolean; connection_limit: number }>`
    select shobj_description(oid, 'pg_database') as comment, pg_get_userbyid(datdba) = session_user as is_own,
      datconnlimit as connection_limit
    from pg_database where datname = ${name}`.execute(db);
  const [row] = rows;
  return (
    row && {
      mark: markOf(row.comment),
      isOwn: row.is_own,
      connectionLimit: row.connection_limit,
      hasComment: row.comment !== null,
    }
  );
}

/** What the open database is marked as; undefined for a live one, and for every embedded one. */
export async function readMark({ engine, kysely }: Database): Promise<Mark | undefined> {
  if (engine.kind === 'embedded') return undefined;
  const { rows } = await sql<{ comment: string | null }>`
    select shobj_description(oid, 'pg_database') as comment from pg_database where datname = current_database()`.execute(
    kysely,
  );
  return markOf(rows[0]?.comment ?? null);
}

export const setMark = async (db: Kysely<Tables>, name: string, mark: Mark): Promise<void> =>
  void (await sql`comment on database ${sql.id(name)} is ${sql.lit(MARKS[mark])}`.execute(db));

/** Makes a copy a database like any other. A comment that is not ours stays. */
export async function clearMark(database: Database): Promise<void> {
  if ((await readMark(database)) === undefined) return;
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.kysely);
  await sql`comment on database ${sql.id(rows[0]!.name)} is null`.execute(database.kysely);
}

/** The account of a connection, and whether it may create databases. */
async function readAccount(db: Kysely<Tables>): Promise<{ name: string; canCreate: boolean }> {
  const { rows } = await sql<{ name: string; canCreate: boolean }>`
    select quote_ident(rolname) as name, rolcreatedb or rolsuper as "canCreate"
    from pg_roles where rolname = session_user`.execute(db);
  return rows[0]!;
}

const quote = (name: string): string => (NAME.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** Why the account cannot make scratch databases, with the statement that allows it; undefined if it can. */
export async function findCreateDatabaseProblem(db: Kysely<Tables>): Promise<string | undefined> {
  const { name, canCreate } = await readAccount(db);
  return canCreate
    ? undefined
    : `The account ${name} may not create databases, so no backup is tested by restoring it. Run as postgres: alter role ${name} createdb;`;
}

/** Throws, with the statement for an administrator, if the account may not create databases. */
export async function assertCanCreate(db: Kysely<Tables>, name: string, before = ''): Promise<void> {
  const account = await readAccount(db);
  if (account.canCreate) return;
  throw new Error(
    `The account ${account.name} may not create databases. Run this as postgres, then repeat the command:
  ${before}create database ${quote(name)} owner ${account.name} encoding 'UTF8' template template0;
Nothing has changed.`,
  );
}

/** @param connectionLimit part of the statement that creates the database, unlike its mark; -1 for no limit */
export async function createMarked(db: Kysely<Tables>, name: string, mark: Mark, connectionLimit = -1): Promise<void> {
  await sql`create database ${sql.id(name)} encoding 'UTF8' template template0 connection limit ${sql.lit(connectionLimit)}`.execute(
    db,
  );
  await setMark(db, name, mark);
}

/** Drops a database and ends the sessions in it. */
export const dropDatabase = async (db: Kysely<Tables>, name: string): Promise<void> =>
  void (await sql`drop database if exists ${sql.id(name)} with (force)`.execute(db));

/** Programs with a session in a database. */
export async function listPrograms(db: Kysely<Tables>, name: string): Promise<string[]> {
  const { rows } = await sql<{ program: string }>`
    select distinct coalesce(nullif(application_name, ''), 'a program') as program from pg_stat_activity
    where datname = ${name} order by 1`.execute(db);
  return rows.map(({ program }) => program);
}
