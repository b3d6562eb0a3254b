import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { PlatformDb } from './platform-db.ts';
import { currentOwner } from '../logging/request-scope.ts';
import { READ_ONLY } from './postgres-client.ts';
import { SCHOOL_ROLE } from './row-level-security.ts';
import { type Origin, Scope } from './scope.ts';
import { inTransaction } from './transaction.ts';

declare const schoolBrand: unique symbol;

/**
 * The rows of one school, within one transaction. Queries take it as their first parameter and use `schoolId` in their
 * conditions: row-level security would suffice, but a cluster finds the school's machine by it.
 */
export interface SchoolDb extends Scope {
  readonly [schoolBrand]: true;
  readonly schoolId: number;
}

class SchoolScope extends Scope {
  declare readonly [schoolBrand]: true;
  readonly schoolId: number;

  private constructor(origin: Origin, schoolId: number) {
    // SET LOCAL and not set_config(): only the former is passed to a cluster's workers, and only when the first of
    // these settings, which other servers ignore, is set. docs/decisions/cluster-by-school.md
    super(origin, [
      "set local citus.propagate_set_commands = 'local'",
      `set local role ${SCHOOL_ROLE}`,
      `set local app.school_id = '${schoolId}'`,
    ]);
    this.schoolId = schoolId;
  }

  static run<T>(origin: Origin, schoolId: number, work: (db: SchoolDb) => Promise<T>): Promise<T> {
    const db = new SchoolScope(origin, schoolId);
    return origin instanceof Scope ? db.runInside(origin, () => work(db)) : db.runInRole(() => work(db));
  }
}

function assertSchoolId(schoolId: number): void {
  if (!Number.isSafeInteger(schoolId)) throw new TypeError('A school scope needs the id of a school.');
}

/**
 * Runs `work` in one transaction in which row-level security only admits the rows of one school. All of `work` happens
 * or nothing. Never call it within another of the four helpers: the embedded database has one connection.
 */
export function inSchool<T>(database: Database, schoolId: number, work: (db: SchoolDb) => Promise<T>): Promise<T> {
  assertSchoolId(schoolId);
  return database.writes.run(currentOwner(), () =>
    inTransaction(database.kysely, (transaction) =>
      SchoolScope.run({ transaction, jobs: database.jobs }, schoolId, work),
    ),
  );
}

/** The same in a read-only transaction: a statement that writes fails. */
export function readInSchool<T>(database: Database, schoolId: number, work: (db: SchoolDb) => Promise<T>): Promise<T> {
  assertSchoolId(schoolId);
  return inTransaction(database.kysely, async (transaction) => {
    await sql.raw(READ_ONLY).execute(transaction);
    return SchoolScope.run({ transaction, jobs: database.jobs }, schoolId, work);
  });
}

/**
 * Runs the part of platform work that concerns one school, in the same transaction (such as a new school's first rows).
 * `db` is suspended while `work` runs, and reaches all schools again afterwards.
 */
export function withSchool<T>(db: PlatformDb, schoolId: number, work: (db: SchoolDb) => Promise<T>): Promise<T> {
  assertSchoolId(schoolId);
  return SchoolScope.run(db, schoolId, work);
}
