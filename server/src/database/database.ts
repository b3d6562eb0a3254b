import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { PGlite } from '@electric-sql/pglite';
import { type Dialect, Kysely, type LogEvent, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrate, migrationNames, needsMigration, RELEASED_SCHEMA } from './migrations.ts';
import { Semaphore } from '../semaphore.ts';
import { markingDialect } from './driver-errors.ts';
import { giveUpSilent, PipeliningClient } from './postgres-client.ts';
import type { Tables } from './tables.ts';

/** The connection to the database. Work goes through the transaction helpers of `school.ts` and `platform.ts`. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  /** The engine below, for machinery that brings its own SQL (the job queue). */
  readonly engine: { kind: 'embedded'; pglite: PGlite } | { kind: 'server'; pool: pg.Pool };
  /** The turns of transactions that may write: they leave connections to those that only read. */
  readonly writes: Semaphore;
  /** The queue of jobs; set when it is opened. */
  jobs: JobQueue | undefined;
  close(): Promise<void>;
}

/** Changes jobs in the transaction given, so that the change is there only when the transaction commits. */
export interface JobQueue {
  send(
    tx: Kysely<Tables>,
    name: string,
    data: object,
    options?: { startAfter?: Date; singletonKey?: string },
  ): Promise<void>;
  /** Lets a job that was given up be tried again; false when there is none. */
  retry(tx: Kysely<Tables>, name: string, id: string): Promise<boolean>;
}

/** Told of each statement that has ended: its text, whose values travel apart from it, and how long it took. */
export type StatementListener = (text: string, milliseconds: number) => void;

const openKysely = (dialect: Dialect, onStatement: StatementListener | undefined): Kysely<Tables> =>
  new Kysely<Tables>({
    dialect: markingDialect(dialect),
    ...(onStatement
      ? { log: ({ query, queryDurationMillis }: LogEvent) => onStatement(query.sql, queryDurationMillis) }
      : {}),
  });

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const INTERVAL = 1186;
const NUMERIC = 1700;

/** The same reading of types on both engines: whole numbers and decimals as numbers, days as `YYYY-MM-DD`. */
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [INT8_ARRAY]: (text) => text.match(/\d+/g)?.map(Number) ?? [],
  [DATE]: (text) => text,
  [INTERVAL]: (text) => text,
  [NUMERIC]: Number,
};

/**
 * Opens the embedded database in a folder, or in memory when none is named.
 * @param contents a dump of a data folder to begin with (`dumpDataDir`), for tests
 */
export async function openEmbedded(
  folder?: string,
  contents?: Blob,
  onStatement?: StatementListener,
): Promise<Database> {
  if (folder) mkdirSync(folder, { recursive: true });
  // Freeing a replaced WebAssembly wrapper now and then ends the process (V8 13.6: `allocations_.erase(addr) == 1`).
  setFlagsFromString('--no-wasm-code-gc');
  const pglite = await PGlite.create({
    ...(folder ? { dataDir: join(folder, 'postgres') } : {}),
    ...(contents ? { loadDataDir: contents } : {}),
    parsers,
  });
  return {
    kysely: openKysely(new PGliteDialect({ pglite }), onStatement),
    engine: { kind: 'embedded', pglite },
    // It has one connection, whose turns it gives itself.
    writes: new Semaphore(Infinity),
    jobs: undefined,
    close: () => pglite.close(),
  };
}

const APPLICATION = 'school-portal';
/** What the server lists this process's connections as: the version's schema is part of it. */
const applicationName = `${APPLICATION} ${migrationNames.at(-1)}`;

/** How long one statement may take, waiting for locks included. */
const STATEMENT_TIMEOUT_MS = 8000;
/** After the server would have ended the statement itself, nobody is there: the connection is given up. */
const SILENCE_AFTER_MS = 1500;

/** Ends the connections of a client that is gone without a word, and with them its transactions and locks. */
const SERVER_SIDE =
  '-c tcp_user_timeout=10000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=2';

/**
 * Of the connections, those that writes leave to reads: when a disk holds commits up, or a lock, who only looks is
 * answered all the same.
 */
const KEPT_FOR_READS = 0.4;

/**
 * Connects to a PostgreSQL server. It need not be there yet: each piece of work fails until it is.
 * @param onLost told of an idle connection's end; the pool replaces it
 * @param statementTimeoutMs 0 for work that may take any time
 * @param onStatement for traces
 */
export function connectServer(
  url: string,
  onLost: (error: Error) => void,
  connections = 10,
  connectTimeoutMs = 5000,
  statementTimeoutMs = STATEMENT_TIMEOUT_MS,
  onStatement?: StatementListener,
): Database {
  const types = {
    getTypeParser: (oid: number, format?: string) =>
      format === 'binary'
        ? pg.types.getTypeParser(oid, 'binary')
        : (parsers[oid] ?? pg.types.getTypeParser(oid, 'text')),
  } as pg.CustomTypesConfig;
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: SERVER_SIDE,
    ...(statementTimeoutMs > 0
      ? { statement_timeout: statementTimeoutMs, idle_in_transaction_session_timeout: 60_000 }
      : {}),
    application_name: applicationName,
    Client: PipeliningClient,
    pipeline: true,
    types,
  });
  pool.on('error', onLost);
  if (statementTimeoutMs > 0) giveUpSilent(pool, statementTimeoutMs + SILENCE_AFTER_MS);
  const kysely = openKysely(new PostgresDialect({ pool }), onStatement);
  return {
    kysely,
    engine: { kind: 'server', pool },
    writes: new Semaphore(Math.ceil(connections * (1 - KEPT_FOR_READS)), connectTimeoutMs),
    jobs: undefined,
    close: () => pool.end(),
  };
}

/** What processes that start at once take in turn; any number that no other program uses. */
const START_LOCK = 7_205_759_403;

/**
 * Throws while a process of a version older than the one released before this one is connected: a migration may take
 * away what it still uses.
 */
async function refuseOlderProcesses(kysely: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`
    select distinct substring(application_name from ${APPLICATION.length + 2}::int) as schema from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${`${APPLICATION} `})`.execute(kysely);
  const older = rows.find(({ schema }) => schema < RELEASED_SCHEMA);
  if (older)
    throw new Error(
      `A process of a version that is more than one release old still uses this database (its schema is ${older.schema}). Stop it, or upgrade it to the release before this one, and start again. Nothing was changed.`,
    );
}

/**
 * Brings the schema up to date. Processes that start at once do it in turn. Throws when the database is ahead of this
 * version, or when a process that is more than one release behind is connected to it.
 * @param work what else a start makes in the database, in the same turn
 */
export async function prepareDatabase<T>(database: Database, work: () => Promise<T>): Promise<T> {
  if (database.engine.kind === 'embedded') {
    await migrate(database.kysely);
    return work();
  }
  const { connectionString = '' } = database.engine.pool.options;
  // A migration may take any time, and so may the wait for another process that runs it.
  const patient = connectServer(connectionString, () => undefined, 3, 60_000, 0);
  try {
    return await patient.kysely.connection().execute(async (held) => {
      await sql`select pg_advisory_lock(${START_LOCK})`.execute(held);
      try {
        if (await needsMigration(patient.kysely)) await refuseOlderProcesses(patient.kysely);
        await migrate(patient.kysely);
        return await work();
      } finally {
        await sql`select pg_advisory_unlock(${START_LOCK})`.execute(held);
      }
    });
  } finally {
    await patient.close();
  }
}

/** Throws unless the database answers. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.kysely);
}
