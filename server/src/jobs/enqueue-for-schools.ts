import type { Database } from '../database/database.ts';
import { inPlatform } from '../database/platform.ts';
import type { PlatformDb } from '../database/platform-db.ts';

/** Schools of one transaction. The embedded database's only connection serves requests in between. */
const SCHOOLS_PER_TRANSACTION = 200;

/**
 * Enqueues jobs for schools, a page of them per transaction.
 * @param enqueuePage enqueues for the schools after an ID; returns the last school's ID, or undefined without any
 */
export async function enqueueForSchools(
  database: Database,
  signal: AbortSignal | undefined,
  enqueuePage: (db: PlatformDb, after: number, limit: number) => Promise<number | undefined>,
): Promise<void> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    signal?.throwIfAborted();
    const after: number = last;
    last = await inPlatform(database, (db) => enqueuePage(db, after, SCHOOLS_PER_TRANSACTION));
  }
}
