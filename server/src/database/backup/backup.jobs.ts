import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../../clock.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { backUp, deleteStalePartials } from './backup.ts';

const NAME = /^portal-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)Z\.backup$/;

/** Less than a day, so that a backup that hangs has ended before the next one is due. */
const MAX_BACKUP_S = 20 * 3600;

/** `portal-2026-11-22T02-15-00Z.backup`: without characters that are special to file systems or shells. */
export const nameOf = (now: Date): string => `portal-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup`;

/** The start time of a nightly backup; undefined for any other file. */
function timeOf(name: string): number | undefined {
  const [day, time] = NAME.exec(name)?.[1]?.split('T') ?? [];
  return day && time ? Date.parse(`${day}T${time.replaceAll('-', ':')}Z`) : undefined;
}

/**
 * Backs up to `BACKUP_DIR` each night. Old backups are deleted once the new one is complete, so that one always exists.
 * @param copyFiles copies the files that are not in the database into the folder
 */
export const backupJob = (
  { config, database, clock }: Services,
  folder: string,
  copyFiles: (folder: string) => Promise<void>,
): Job => ({
  name: 'backup',
  schedule: '15 2 * * *',
  retries: 2,
  maxSeconds: MAX_BACKUP_S,
  run: async () => {
    const now = clock.now();
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await deleteStalePartials(folder, now);
    await backUp(database, join(folder, nameOf(now)), now);
    await copyFiles(folder);
    const oldest = now.getTime() - config.backupDays * DAY_MS;
    for (const name of await readdir(folder)) if ((timeOf(name) ?? Infinity) < oldest) await rm(join(folder, name));
  },
});
