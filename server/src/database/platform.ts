import { CompiledQuery, type Kysely } from 'kysely';
import type { Database, JobSender } from './database.ts';
import { statementName } from './postgres-client.ts';
import type { Tables } from './tables.ts';

declare const platformBrand: unique symbol;

/** Rows of all schools: for login, jobs and the operator. Only the files that the import rules list may reach it. */
export interface PlatformDb {
  readonly [platformBrand]: true;
  readonly tx: Kysely<Tables>;
  readonly jobs: JobSender | undefined;
}

/** Work across schools in one transaction. */
export const inPlatform = <T>(database: Database, work: (db: PlatformDb) => Promise<T>): Promise<T> =>
  database.kysely.transaction().execute((tx) => work({ tx, jobs: database.jobs } as unknown as PlatformDb));

/** A single statement across schools, without a transaction around it. */
export const readInPlatform = <T>(database: Database, ask: (db: PlatformDb) => Promise<T>): Promise<T> =>
  ask({ tx: database.kysely, jobs: database.jobs } as unknown as PlatformDb);

/** The same with a text, past the layers between: for what stands before every request, where each of them counts. */
export async function askDirectly<Row extends object>(
  { engine, kysely }: Database,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  if (engine.kind === 'server') return (await engine.pool.query<Row>({ text, values, name: statementName(text) })).rows;
  // Not to the embedded engine itself: there it would land in the middle of somebody's transaction.
  return (await kysely.executeQuery<Row>(CompiledQuery.raw(text, values))).rows;
}
