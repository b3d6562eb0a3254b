import { mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { readBackup } from '../backups/backup-file.ts';
import { runPostgresTool } from '../backups/postgres-tools.ts';
import { connectServer, type Database, openEmbedded } from '../database/database.ts';
import { makeEmptyDatabase } from './databases.ts';

/** An empty database of the kind under test, to restore to. */
export interface RestoreTarget {
  /** Undefined for the embedded database. */
  databaseUrl: string | undefined;
  dataDir: string;
  /** Opens what was restored. */
  open(): Promise<Database>;
  remove(): Promise<void>;
}

/** @param folder where the data folder of an embedded database is created */
export async function makeRestoreTarget(folder: string): Promise<RestoreTarget> {
  const template = inject('template');
  const dataDir = mkdtempSync(join(folder, 'data-'));
  if (template.kind === 'embedded')
    return { databaseUrl: undefined, dataDir, open: () => openEmbedded(dataDir), remove: async () => undefined };
  const { database, remove } = await makeEmptyDatabase(template);
  const databaseUrl = database.engine.kind === 'server' ? database.engine.pool.options.connectionString! : '';
  return { databaseUrl, dataDir, open: async () => connectServer(databaseUrl), remove };
}

/** Restores a backup with the database's own tools, as a restore to a point in time does: without any further step. */
export async function restoreWithoutSteps({ databaseUrl, dataDir }: RestoreTarget, path: string): Promise<void> {
  if (databaseUrl) {
    await runPostgresTool('pg_restore', databaseUrl, ['--no-owner', '--single-transaction', '--exit-on-error', path]);
    return;
  }
  const { bytes } = await readBackup(path);
  const contents = new Blob([readFileSync(path).subarray(0, bytes)], { type: 'application/x-gzip' });
  await (await openEmbedded(dataDir, contents)).close();
}
