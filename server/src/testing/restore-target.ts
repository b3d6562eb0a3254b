import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { restoreDump } from '../backups/postgres-tools.ts';
import { connectServer, type Database } from '../database/database.ts';
import { requireServer } from '../database/embedded.ts';
import { makeEmptyDatabase } from './databases.ts';

/** An empty database to restore to. */
export interface RestoreTarget {
  databaseUrl: string;
  dataDir: string;
  /** Opens what was restored. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** @param folder where the data folder of the restored portal is created */
export async function makeRestoreTarget(folder: string): Promise<RestoreTarget> {
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const { database, remove } = await makeEmptyDatabase(inject('template'));
  const databaseUrl = requireServer(database).directUrl;
  return { databaseUrl, dataDir, open: async () => connectServer(databaseUrl), remove };
}

/** Restores a backup with the database's own tools, as a restore to a point in time does: without any further step. */
export const restoreWithoutSteps = ({ databaseUrl }: RestoreTarget, path: string): Promise<void> =>
  restoreDump(databaseUrl, path, ['--no-owner', '--single-transaction', '--exit-on-error']);
