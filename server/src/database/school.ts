import { type Kysely, sql } from 'kysely';
import type { Database, JobSender } from './database.ts';
import type { PlatformDb } from './platform.ts';
import { SCHOOL_ROLE } from './row-level-security.ts';
import type { Tables } from './tables.ts';

declare const schoolBrand: unique symbol;

/**
 * The rows of one school, within one transaction. Queries take it first, and name `schoolId` in their
 * conditions although row-level security would hold without: on a cluster it says where to look.
 */
export interface SchoolDb {
  readonly [schoolBrand]: true;
  readonly tx: Kysely<Tables>;
  readonly schoolId: number;
  readonly jobs: JobSender | undefined;
}

/**
 * The only door to a school's rows: one transaction in which row-level security lets nothing else through.
 * All of `work` happens or nothing. Never call it within itself: the embedded database has one connection.
 */
export function inSchool<T>(database: Database, schoolId: number, work: (db: SchoolDb) => Promise<T>): Promise<T> {
  if (!Number.isSafeInteger(schoolId)) throw new TypeError('inSchool needs the id of a school.');
  return database.kysely.transaction().execute(async (tx) => work(await restrict(tx, schoolId, database.jobs)));
}

/**
 * A single reading statement in a school: with a server its scope, the statement and the end are one round trip.
 * A second statement fails, and so does one that writes.
 */
export function readInSchool<T>(database: Database, schoolId: number, ask: (db: SchoolDb) => Promise<T>): Promise<T> {
  if (!Number.isSafeInteger(schoolId)) throw new TypeError('askSchool needs the id of a school.');
  return database.kysely
    .transaction()
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Planned once a connection: every list lies in one school, so that its values change little about the best plan.
      await sql.raw('set local plan_cache_mode = force_generic_plan').execute(tx);
      return ask(await restrict(tx, schoolId, database.jobs));
    });
}

/**
 * Restricts a platform transaction to one school, until it ends: for work that creates a school and fills it as one whole.
 * What was written before stays in the transaction; `db` itself sees only that school from here on.
 */
export function enterSchool(db: PlatformDb, schoolId: number): Promise<SchoolDb> {
  if (!Number.isSafeInteger(schoolId)) throw new TypeError('enterSchool needs the id of a school.');
  return restrict(db.tx, schoolId, db.jobs);
}

/**
 * The way out again, in the same transaction: for the part of a change that lies across schools (an account that leaves one).
 * Whoever takes it may work across schools: checks/exceptions.json.
 */
export async function leaveSchool(db: SchoolDb): Promise<PlatformDb> {
  await sql.raw('set local role none').execute(db.tx);
  return { tx: db.tx, jobs: db.jobs } as unknown as PlatformDb;
}

async function restrict(tx: Kysely<Tables>, schoolId: number, jobs: JobSender | undefined): Promise<SchoolDb> {
  // SET LOCAL and not set_config(): a cluster's workers learn the former only. docs/decisions/0003-a-cluster-by-school.md
  await sql.raw(`set local role ${SCHOOL_ROLE}`).execute(tx);
  await sql.raw(`set local app.school_id = '${schoolId}'`).execute(tx);
  return { tx, schoolId, jobs } as unknown as SchoolDb;
}
