import { dirname } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { PGlite } from '@electric-sql/pglite';
import { type Dialect, Kysely, type LogEvent, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { DUMP_NAME, withLock } from './advisory-locks.ts';
import { migrate, migrationNames, needsMigration, RELEASED_SCHEMA } from './migrations.ts';
import { BoundedQueue } from '../bounded-queue.ts';
import { AppError } from '../errors.ts';
import { markingDialect } from './driver-errors.ts';
import { closeSilentConnections, PipeliningClient } from './postgres-client.ts';
import { createRoles, IDLE_ROLE } from './row-level-security.ts';
import { refreshStatistics } from './table-statistics.ts';
import type { Tables } from './tables.ts';

/** A PostgreSQL server. */
export interface Server {
  kind: 'server';
  pool: pg.Pool;
  /** Connections in the owner's role, for the job queue, which sends statements of its own. */
  ownerPool: pg.Pool;
  /** The server's own URL, past a pooler, for work that needs a connection to itself. */
  directUrl: string;
  /** `DATABASE_URL` leads to a pooler that hands out connections for one transaction at a time. */
  isPooled: boolean;
}

/** The connection to the database. Use the transaction helpers of `school.ts` and `platform.ts`. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  /** The underlying engine, for code with its own SQL (the job queue). */
  readonly engine: { kind: 'embedded'; pglite: PGlite } | Server;
  /** The queue of transactions that may write: it leaves connections for those that only read. */
  readonly writes: BoundedQueue;
  /** The job queue; set when it is opened. */
  jobs: JobQueue | undefined;
  close(): Promise<void>;
}

/** Changes jobs in the given transaction, so that the change takes effect only when the transaction commits. */
export interface JobQueue {
  /** Returns whether this process has a job of this name. */
  has(name: string): boolean;
  send(
    tx: Kysely<Tables>,
    name: string,
    data: object,
    options?: { startAfter?: Date; singletonKey?: string; priority?: number },
  ): Promise<void>;
  /** Retries a failed job; returns false if it does not exist. */
  retry(tx: Kysely<Tables>, name: string, id: string): Promise<boolean>;
}

/** Receives each completed statement: its text, which contains no values, and how long it took. */
export type StatementListener = (text: string, milliseconds: number) => void;

export const openKysely = (dialect: Dialect, onStatement: StatementListener | undefined): Kysely<Tables> =>
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

/** Parses types in the same way on both engines: integers and decimals as numbers, days as `YYYY-MM-DD`. */
export const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [INT8_ARRAY]: (text) => text.match(/-?\d+|NULL/g)?.map((item) => (item === 'NULL' ? null : Number(item))) ?? [],
  [DATE]: (text) => text,
  [INTERVAL]: (text) => text,
  [NUMERIC]: Number,
};

const APPLICATION = 'school-portal';
/** The name of this process's connections on the server, which includes the version of the schema. */
const applicationName = `${APPLICATION} ${migrationNames.at(-1)}`;

/** The account that logged in. */
const OWN_ROLE = 'none';

/** Time limit of one statement, including waits for locks. */
const STATEMENT_TIMEOUT_MS = 8000;
/** A connection without a reply this long after the server's own timeout is closed. */
const SILENCE_MARGIN_MS = 1500;

const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

const listDeadlines = (statementTimeoutMs: number): Record<string, number> => ({
  statement_timeout: statementTimeoutMs,
  idle_in_transaction_session_timeout: statementTimeoutMs > 0 ? IDLE_TRANSACTION_TIMEOUT_MS : 0,
});

/** Makes the server end the connections of a vanished client, and with them its transactions and locks. */
const KEEP_ALIVE = {
  tcp_user_timeout: 10_000,
  tcp_keepalives_idle: 10,
  tcp_keepalives_interval: 5,
  tcp_keepalives_count: 2,
};

const formatOptions = (settings: Record<string, number | string>): string =>
  Object.entries(settings)
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');

/** Share of the connections that writes leave free, so that reads are answered while a disk or a lock delays commits. */
const READ_SHARE = 0.4;
/** More writes than one process can complete before the last one times out. */
const MAX_WAITING_WRITES = 2000;

export const openWriteQueue = (concurrency: number, maxWaitMs?: number): BoundedQueue =>
  new BoundedQueue({
    concurrency,
    maxWaiting: MAX_WAITING_WRITES,
    ...(maxWaitMs === undefined ? {} : { maxWaitMs }),
    overloaded: () => new AppError('unavailable', { retryAfter: 5 }),
  });

export interface ServerOptions {
  /** Called when an idle connection ends; the pool replaces it. */
  onLost?: (error: Error) => void;
  connections?: number;
  connectTimeoutMs?: number;
  /** 0 for no limit. */
  statementTimeoutMs?: number;
  /** For traces. */
  onStatement?: StatementListener | undefined;
  directUrl?: string | undefined;
  isPooled?: boolean;
  /**
   * Connections start in a role without rights (`IDLE_ROLE`), which the transaction helpers leave, and otherwise in the
   * owner's. True for every process that answers requests.
   */
  startsIdle?: boolean;
}

/** Connections of the job queue, which fetches and completes jobs in statements that take milliseconds. */
const QUEUE_CONNECTIONS = 2;

const serverTypes = {
  getTypeParser: (oid: number, format?: string) =>
    format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : (parsers[oid] ?? pg.types.getTypeParser(oid, 'text')),
} as pg.CustomTypesConfig;

interface PoolOptions {
  connections: number;
  connectTimeoutMs: number;
  statementTimeoutMs: number;
  isPooled: boolean;
  role: string;
  onLost: (error: Error) => void;
}

function openPool(url: string, options: PoolOptions): pg.Pool {
  const { statementTimeoutMs, isPooled, role } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connections,
    connectionTimeoutMillis: options.connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // A pooler rejects them. They are set for the account instead: `prepareForPooler`.
    ...(isPooled ? {} : { options: formatOptions({ ...KEEP_ALIVE, ...listDeadlines(statementTimeoutMs), role }) }),
    application_name: applicationName,
    Client: PipeliningClient,
    pipeline: true,
    preparesStatements: !isPooled,
    types: serverTypes,
  } as pg.PoolConfig);
  pool.on('error', options.onLost);
  if (statementTimeoutMs > 0) closeSilentConnections(pool, statementTimeoutMs + SILENCE_MARGIN_MS);
  return pool;
}

/** Connects to a PostgreSQL server. While it is unavailable, each transaction fails. */
export function connectServer(
  url: string,
  {
    onLost = () => undefined,
    connections = 10,
    connectTimeoutMs = 5000,
    statementTimeoutMs = STATEMENT_TIMEOUT_MS,
    onStatement,
    directUrl = url,
    isPooled = false,
    startsIdle = false,
  }: ServerOptions = {},
): Database {
  const limits = { connectTimeoutMs, statementTimeoutMs, onLost };
  const pool = openPool(url, { ...limits, connections, isPooled, role: startsIdle ? IDLE_ROLE : OWN_ROLE });
  const ownerPool = startsIdle
    ? openPool(directUrl, { ...limits, connections: QUEUE_CONNECTIONS, isPooled: false, role: OWN_ROLE })
    : pool;
  const kysely = openKysely(new PostgresDialect({ pool }), onStatement);
  return {
    kysely,
    engine: { kind: 'server', pool, ownerPool, directUrl, isPooled },
    writes: openWriteQueue(Math.ceil(connections * (1 - READ_SHARE)), connectTimeoutMs),
    jobs: undefined,
    async close() {
      await pool.end();
      if (ownerPool !== pool) await ownerPool.end();
    },
  };
}

/**
 * Throws while a process that is more than one release older is connected: a migration may remove what it still uses.
 */
async function assertNoOlderProcesses(kysely: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ schema: string }>`
    select distinct substring(application_name from ${APPLICATION.length + 2}::int) as schema from pg_stat_activity
    where datname = current_database() and starts_with(application_name, ${`${APPLICATION} `})`.execute(kysely);
  const older = rows.find(({ schema }) => schema < RELEASED_SCHEMA);
  if (older)
    throw new Error(
      `A process of a version that is more than one release old still uses this database (its schema is ${older.schema}). Stop it, or upgrade it to the release before this one, and start again. Nothing was changed.`,
    );
}

const DUMP_POLL_MS = 1000;

/** Waits until no `pg_dump` reads this database: a migration would wait for its locks, and all other queries for the migration. */
async function waitForDumps(kysely: Kysely<Tables>, onProgress: (line: string) => void): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name in ('pg_dump', ${DUMP_NAME})`.execute(
      kysely,
    );
    if (rows.length === 0) return;
    if (tries === 0) onProgress('A dump of the database is running; the migration waits until it is complete …');
    await wait(DUMP_POLL_MS);
  }
}

/**
 * Gives each new connection of the portal's account to this database its role and deadlines, because a connection
 * behind a pooler loses what a process sets.
 */
async function prepareForPooler(kysely: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select quote_ident(current_database()) as name`.execute(kysely);
  for (const [setting, value] of Object.entries({ ...listDeadlines(STATEMENT_TIMEOUT_MS), role: IDLE_ROLE }))
    await sql.raw(`alter role current_user in database ${rows[0]?.name} set ${setting} = ${value}`).execute(kysely);
}

/**
 * Migrates the schema. Processes that start at the same time take turns, and wait for a running backup. Throws when the
 * database is more than one release ahead of this version, or when a process that is more than one release behind is connected to it.
 * @param work other start-up work in the database, under the same lock; tables that it fills are analysed
 */
export async function prepareDatabase<T>(
  database: Database,
  work: () => Promise<T>,
  onProgress: (line: string) => void = () => undefined,
): Promise<T> {
  if (database.engine.kind === 'embedded') {
    const { dataDir } = database.engine.pglite;
    await migrate(database.kysely, undefined, { onProgress, dataDir: dataDir && dirname(dataDir) });
    const result = await work();
    await refreshStatistics(database.kysely);
    return result;
  }
  const { directUrl, isPooled } = database.engine;
  // A migration may take any time, and so may the wait for another process that runs it.
  const patient = connectServer(directUrl, {
    connections: 4,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 0,
  });
  const { kysely } = patient;
  const waitForStart = () => onProgress('Another process is preparing the database; waiting for it …');
  const waitForBackup = () => onProgress('A backup is running; the migration waits until it is complete …');
  try {
    return await withLock(kysely, 'start', waitForStart, async () => {
      // Before any connection that starts in one of them.
      await kysely.transaction().execute(createRoles);
      if (await needsMigration(kysely)) {
        await assertNoOlderProcesses(kysely);
        await withLock(kysely, 'backup', waitForBackup, async () => {
          await waitForDumps(kysely, onProgress);
          await migrate(kysely, undefined, { onProgress });
        });
      } else await migrate(kysely, undefined, { onProgress });
      if (isPooled) await prepareForPooler(kysely);
      const result = await work();
      await refreshStatistics(kysely);
      return result;
    });
  } finally {
    await patient.close();
  }
}

/** Throws unless the database answers. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.kysely);
}
