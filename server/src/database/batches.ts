import type { Database } from './database.ts';
import { inPlatform } from './platform.ts';
import type { PlatformDb } from './platform-db.ts';

/** Rows per statement: few enough to finish well within the statement timeout. */
export const BATCH_SIZE = 5000;

/** Changes one batch of rows and returns how many; the same call then finds the next batch. Fewer than `BATCH_SIZE` is the last one. */
export type Cleanup = (db: PlatformDb) => Promise<number>;

/**
 * Runs each cleanup in turn, batch by batch in transactions of their own, so that requests are served in between.
 * A cleanup that fails does not stop the next ones; its error is thrown at the end.
 * @param signal ends the work before the next batch
 */
export async function runCleanups(
  database: Database,
  cleanups: readonly Cleanup[],
  signal?: AbortSignal,
): Promise<void> {
  const errors: unknown[] = [];
  for (const cleanup of cleanups)
    try {
      do signal?.throwIfAborted();
      while ((await inPlatform(database, cleanup)) >= BATCH_SIZE);
    } catch (error) {
      errors.push(error);
    }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} of ${cleanups.length} cleanups failed`);
}

/** The rows of all pages, read one page at a time. `readPage` returns the rows after a row, none after the last. */
export async function* iteratePages<Row>(readPage: (after: Row | undefined) => Promise<Row[]>): AsyncGenerator<Row> {
  for (let page = await readPage(undefined); page.length > 0; page = await readPage(page.at(-1))) yield* page;
}
