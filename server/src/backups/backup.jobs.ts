import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteLog } from '../audit/audit-chain.jobs.ts';
import type { Services } from '../context.ts';
import { enqueue, type Job } from '../jobs/queue.ts';
import { hasClusterExtension } from '../database/cluster/cluster.queries.ts';
import { inPlatform } from '../database/platform.ts';
import { deleteExpired, nameBackup } from './backup-folder.ts';
import { backUp, deleteStalePartials } from './backup.ts';
import { OFF_SITE_JOB } from './off-site.jobs.ts';

/** Less than a day, so that a backup that hangs has ended before the next one is due. */
const MAX_BACKUP_S = 20 * 3600;
/** After 5 to 10 minutes, then twice as long each time: together over an hour and up to two and a half. */
const RETRIES = { retries: 4, retryDelaySeconds: 300 };

/**
 * Backs up to `BACKUP_DIR` each night. Old backups are deleted once the new one is complete, so that one always exists.
 * @param copyFiles copies the files that are not in the database into the folder
 */
export const backupJob = (
  { config, database, clock }: Services,
  folder: string,
  copyFiles: (folder: string) => Promise<void>,
  log: WriteLog = () => undefined,
): Job => ({
  name: 'backup',
  schedule: '15 2 * * *',
  canRunLate: true,
  ...RETRIES,
  maxSeconds: MAX_BACKUP_S,
  run: async (_data, signal) => {
    const now = clock.now();
    const { backupRecipients: recipients, backupDays, backupHook } = config;
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await deleteStalePartials(folder, now);
    if (await hasClusterExtension(database.kysely)) {
      log({}, 'on a cluster the nightly job copies covers only: back up each machine');
      return copyFiles(folder);
    }
    const name = nameBackup(now, { isEncrypted: recipients.length > 0 });
    await backUp(database, join(folder, name), now, { recipients, signal });
    await copyFiles(folder);
    await deleteExpired(folder, name, backupDays, log);
    if (backupHook !== undefined) await inPlatform(database, (db) => enqueue(db, OFF_SITE_JOB, {}));
  },
});
