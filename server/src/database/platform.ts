import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { PlatformDb, platformBrand } from './platform-db.ts';
import { currentOwner } from '../logging/request-scope.ts';
import { READ_ONLY } from './postgres-client.ts';
import { type Origin, Scope } from './scope.ts';
import { inTransaction } from './transaction.ts';

class PlatformScope extends Scope {
  declare readonly [platformBrand]: true;

  static run<T>(origin: Origin, work: (db: PlatformDb) => Promise<T>): Promise<T> {
    // A connection starts in a role without rights; `none` is the account that it logged in with.
    const db = new PlatformScope(origin, ['set local role none']);
    return origin instanceof Scope ? db.runInside(origin, () => work(db)) : db.runInRole(() => work(db));
  }
}

/**
 * Work across schools in one transaction: all of `work` happens or nothing.
 * Never call it within another of the four helpers: the embedded database has one connection.
 */
export const inPlatform = <T>(database: Database, work: (db: PlatformDb) => Promise<T>): Promise<T> =>
  database.writes.run(currentOwner(), () =>
    inTransaction(database.kysely, (transaction) => PlatformScope.run({ transaction, jobs: database.jobs }, work)),
  );

/** The same in a read-only transaction: a statement that writes fails. */
export const readInPlatform = <T>(database: Database, work: (db: PlatformDb) => Promise<T>): Promise<T> =>
  inTransaction(database.kysely, async (transaction) => {
    await sql.raw(READ_ONLY).execute(transaction);
    return PlatformScope.run({ transaction, jobs: database.jobs }, work);
  });

/**
 * Runs the part of a school's change that concerns rows outside the school, in the same transaction (such as an account
 * that leaves). `db` is suspended while `work` runs, and works for the school again afterwards.
 */
export const withPlatform = <T>(
  db: Scope & { readonly schoolId: number },
  work: (db: PlatformDb) => Promise<T>,
): Promise<T> => PlatformScope.run(db, work);
