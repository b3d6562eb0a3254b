import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DAY_MS } from '../clock.ts';
import { peekAtBackup } from './backup-file.ts';

/*
 * Which backups of BACKUP_DIR are deleted. A clock may be wrong for a night, so age alone does not decide.
 * docs/decisions/backups.md
 */

/** The newest backups, which no age deletes. */
export const MIN_BACKUPS = 7;
/** A longer time since the last backup means a stop, or a clock that is wrong. */
const MAX_JUMP_MS = 2 * DAY_MS;

const NAME = /^portal-(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)Z\.backup(\.age)?$/;

/**
 * `portal-2026-11-22T02-15-00Z.backup`: without characters that are special to file systems or shells. An encrypted file
 * cannot be read, so its name has its time.
 */
export const nameBackup = (now: Date, { isEncrypted }: { isEncrypted: boolean }): string =>
  `portal-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.backup${isEncrypted ? '.age' : ''}`;

/** The time in a backup's name; undefined for any other file. */
function timeOf(name: string): number | undefined {
  const [day, time] = NAME.exec(name)?.[1]?.split('T') ?? [];
  return day && time ? Date.parse(`${day}T${time.replaceAll('-', ':')}Z`) : undefined;
}

/** A backup in the folder. */
export interface StoredBackup {
  name: string;
  madeAt: number;
  isComplete: boolean;
}

/**
 * Lists the portal's backups in a folder, whatever their names.
 * @returns undated: encrypted files without a time in their name, which are never deleted
 */
export async function listBackups(folder: string): Promise<{ backups: StoredBackup[]; undated: string[] }> {
  const backups: StoredBackup[] = [];
  const undated: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const { name } = entry;
    if (!entry.isFile() || name.endsWith('.partial')) continue;
    const found = await peekAtBackup(join(folder, name));
    const madeAt = found.createdAt ?? timeOf(name);
    if (madeAt !== undefined) backups.push({ name, madeAt, isComplete: found.isComplete });
    else if (found.isEncrypted) undated.push(name);
  }
  return { backups, undated };
}

/** The clock was ahead when it was made, or is behind now. */
export const isFromFuture = ({ madeAt }: StoredBackup, now: number): boolean => madeAt > now + MAX_JUMP_MS;

/**
 * Chooses the backups to delete after `made`, the one of this night.
 * @returns reason: why nothing is deleted, if the clock may be wrong
 */
export function chooseExpired(
  backups: readonly StoredBackup[],
  made: StoredBackup,
  days: number,
): { expired: StoredBackup[]; future: StoredBackup[]; reason?: string } {
  const now = made.madeAt;
  const earlier = backups.filter(({ name }) => name !== made.name);
  const future = earlier.filter((backup) => isFromFuture(backup, now));
  const known = earlier.filter((backup) => !isFromFuture(backup, now)).sort((a, b) => b.madeAt - a.madeAt);
  const complete = known.filter(({ isComplete }) => isComplete);
  const previous = complete[0]?.madeAt ?? now;
  if (now < previous) return { expired: [], future, reason: 'the clock is before the last backup' };
  if (now - previous > MAX_JUMP_MS)
    return { expired: [], future, reason: 'the clock is more than two days after the last backup' };
  const newest = new Set(complete.slice(0, MIN_BACKUPS - 1));
  const expired = known.filter((backup) => backup.madeAt < now - days * DAY_MS && !newest.has(backup));
  // Once the other backups reach back as far as any may, those with a later time are older than that, or of a night on
  // which the clock was wrong.
  const reachesBack = known.some(({ madeAt }) => madeAt <= now - (days - 1) * DAY_MS);
  const isFloorComplete = complete.length >= MIN_BACKUPS - 1;
  return { expired: reachesBack && isFloorComplete ? [...expired, ...future] : expired, future };
}

/** Deletes the backups that `chooseExpired` chooses, and reports what an operator should know. */
export async function deleteExpired(
  folder: string,
  madeName: string,
  days: number,
  log: (fields: object, message: string) => void,
): Promise<void> {
  const { backups, undated } = await listBackups(folder);
  const made = backups.find(({ name }) => name === madeName);
  if (!made) return;
  const { expired, future, reason } = chooseExpired(backups, made, days);
  if (reason !== undefined) log({ reason }, 'no old backup was deleted');
  const expiredNames = new Set(expired.map(({ name }) => name));
  const left = future.map(({ name }) => name).filter((name) => !expiredNames.has(name));
  if (left.length > 0) log({ files: left.slice(0, MAX_LISTED) }, 'backups with a time in the future');
  if (undated.length > 0)
    log({ files: undated.slice(0, MAX_LISTED) }, 'encrypted backups without a time in their name are not deleted');
  for (const name of expiredNames) await rm(join(folder, name), { force: true });
}

/** More names would not be read. */
const MAX_LISTED = 20;
