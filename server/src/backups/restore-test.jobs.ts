import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WriteLog } from '../audit/audit-chain.jobs.ts';
import type { Services } from '../context.ts';
import type { Job } from '../jobs/queue.ts';
import { backUp } from './backup.ts';
import { nameBackup } from './backup-folder.ts';
import { testRestore } from './restore-test.ts';

/** Sunday night: the nightly backup has ended, and no school works. */
const SCHEDULE = '15 4 * * 0';
const MAX_TEST_S = 6 * 3600;
/** Longer than the week between two tests, so that the metric of the last success remains while tests fail. */
const RETAINED_DAYS = 60;

/**
 * Each week makes a backup in `BACKUP_DIR` and restores it to a scratch database while it is made, before it is
 * encrypted. A backup that cannot be restored, or breaks a rule, fails the job.
 * @param copyFiles copies the files that are not in the database into the folder
 */
export const restoreTestJob = (
  { config, database, clock }: Services,
  folder: string,
  copyFiles: (folder: string) => Promise<void>,
  log: WriteLog,
): Job => ({
  name: 'restore-test',
  schedule: SCHEDULE,
  retries: 1,
  maxSeconds: MAX_TEST_S,
  retainedDays: RETAINED_DAYS,
  run: async (_data, signal) => {
    const now = clock.now();
    const recipients = config.backupRecipients;
    const file = join(folder, nameBackup(now, { isEncrypted: recipients.length > 0 }));
    await mkdir(folder, { recursive: true, mode: 0o700 });
    try {
      const counts = await testRestore(
        database,
        config,
        now,
        ({ copyTo, snapshot }) => backUp(database, file, now, { recipients, copyTo, snapshot, signal }),
        signal,
      );
      log({ ...counts }, 'restore tested');
    } finally {
      await copyFiles(folder);
    }
  },
});
