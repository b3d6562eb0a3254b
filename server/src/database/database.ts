import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PGliteDialect, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { migrate } from './migrations.ts';
import { PipeliningClient } from './postgres-client.ts';
import type { Tables } from './tables.ts';

/** The connection to the database. Work goes through `inSchool()` or, in the files allowed to, `onPlatform()`. */
export interface Database {
  readonly kysely: Kysely<Tables>;
  /** The engine below, for machinery that brings its own SQL (the job queue). */
  readonly engine: { kind: 'embedded'; pglite: PGlite } | { kind: 'server'; pool: pg.Pool };
  /** Puts jobs into the queue; set when the queue is opened. */
  jobs: JobSender | undefined;
  close(): Promise<void>;
}

/** Writes a job in the transaction given, so that it exists only when the transaction commits. */
export type JobSender = (
  tx: Kysely<Tables>,
  name: string,
  data: object,
  options?: { startAfter?: Date; singletonKey?: string },
) => Promise<void>;

const INT8 = 20;
const DATE = 1082;
const INTERVAL = 1186;
const NUMERIC = 1700;

/** The same reading of types on both engines: whole numbers and decimals as numbers, days as `YYYY-MM-DD`. */
const parsers: Record<number, (text: string) => unknown> = {
  [INT8]: Number,
  [DATE]: (text) => text,
  [INTERVAL]: (text) => text,
  [NUMERIC]: Number,
};

/**
 * Opens the embedded database in a folder, or in memory when none is named.
 * @param contents a dump of a data folder to begin with (`dumpDataDir`), for tests
 */
export async function openEmbedded(folder?: string, contents?: Blob): Promise<Database> {
  if (folder) mkdirSync(folder, { recursive: true });
  const pglite = await PGlite.create({
    ...(folder ? { dataDir: join(folder, 'postgres') } : {}),
    ...(contents ? { loadDataDir: contents } : {}),
    parsers,
  });
  return {
    kysely: new Kysely<Tables>({ dialect: new PGliteDialect({ pglite }) }),
    engine: { kind: 'embedded', pglite },
    jobs: undefined,
    close: () => pglite.close(),
  };
}

/**
 * Connects to a PostgreSQL server. It need not be there yet: each piece of work fails until it is.
 * @param onLost told of an idle connection's end; the pool replaces it
 */
export function connectServer(
  url: string,
  onLost: (error: Error) => void,
  connections = 10,
  connectTimeoutMs = 5000,
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
    application_name: 'school-portal',
    Client: PipeliningClient,
    pipeline: true,
    types,
  });
  pool.on('error', onLost);
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  return { kysely, engine: { kind: 'server', pool }, jobs: undefined, close: () => pool.end() };
}

/** Brings the schema up to date; processes that start at once wait for the one that does it. */
export const prepareDatabase = (database: Database): Promise<void> => migrate(database.kysely);

/** Throws unless the database answers. */
export async function pingDatabase(database: Database): Promise<void> {
  await sql`select 1`.execute(database.kysely);
}
