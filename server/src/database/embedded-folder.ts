import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Database, openEmbedded, type StatementListener } from './database.ts';

/** The major version of PostgreSQL that the embedded database is. It opens no folder of another one. */
export const EMBEDDED_POSTGRES = '18';

const MEGABYTE = 1_000_000;
/** A new database with the demonstration schools takes about 110 MB. */
const NEW_DATABASE_BYTES = 200 * MEGABYTE;
/** On a disk with less space the embedded database may stop answering instead of failing. */
const OPEN_DATABASE_BYTES = 50 * MEGABYTE;

/** A start that fails for a reason that the user can remove; the message says how. */
export class StartError extends Error {}

const formatMegabytes = (bytes: number): string => `${Math.floor(bytes / MEGABYTE)} MB`;

/** Throws when a disk has too little space for a start. */
export function assertDiskSpace(folder: string, freeBytes: number, isNew: boolean): void {
  const neededBytes = isNew ? NEW_DATABASE_BYTES : OPEN_DATABASE_BYTES;
  if (freeBytes < neededBytes)
    throw new StartError(
      `The disk of ${folder} has too little space: ${formatMegabytes(freeBytes)} are free and a start needs ${formatMegabytes(neededBytes)}. Free some space, or choose a DATA_DIR on another disk.`,
    );
}

function getFreeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const describeDamage = (folder: string, detail: string): string =>
  `The database in ${folder} cannot be opened (${detail}). It is damaged, or only part of it was copied. Restore a backup into an empty folder, DATA_DIR=NEW_FOLDER npm run restore -- FILE, or move ${join(folder, 'postgres')} away to start with a new database.`;

/** Throws unless a folder is that of a database which this version can open. */
function assertCanOpen(folder: string, postgres: string): void {
  const versionPath = join(postgres, 'PG_VERSION');
  // The engine would create a new database over the remains.
  if (!existsSync(versionPath)) throw new StartError(describeDamage(folder, 'PG_VERSION is missing'));
  const version = readFileSync(versionPath, 'utf8').trim();
  if (version !== EMBEDDED_POSTGRES)
    throw new StartError(
      `The database in ${folder} has the format of PostgreSQL ${version || '(unknown)'}, and this version of the portal needs ${EMBEDDED_POSTGRES}. Make a backup with the version of the portal that wrote it, npm run backup -- FILE, and restore it into an empty folder, DATA_DIR=NEW_FOLDER npm run restore -- FILE.`,
    );
}

/** Empty or missing, so that a new database can be created there. */
const isVacant = (postgres: string): boolean => !existsSync(postgres) || readdirSync(postgres).length === 0;

/** Why the embedded database failed: the engine throws errors without a message, and some that are no errors. */
function describeFailure(error: unknown): string {
  const { message, code, errno } = (error ?? {}) as { message?: string; code?: string; errno?: number };
  return message?.replace(/\. Build with .*/, '') || code || (errno === undefined ? 'unknown error' : `error ${errno}`);
}

const DISK_FULL = /^(ENOSPC|53100)$/;
/** Damaged data, errors of files, and the engine's own failure. */
const DAMAGED = /^(XX...|58...)$/;
const ABORTED = /^Aborted\(|^PGlite failed|unreachable|memory access out of bounds|^unknown error$|^error \d+$/;

/** Explains an error of the embedded database during a start; undefined if it is neither a full disk nor damage. */
export function explainEmbeddedFailure(error: unknown, folder: string): StartError | undefined {
  if (error instanceof StartError) return error;
  const detail = describeFailure(error);
  const { code = '' } = (error ?? {}) as { code?: string };
  if (DISK_FULL.test(code) || /no space left on device/i.test(detail))
    return new StartError(
      `The disk of ${folder} is full (${detail}). Free at least ${formatMegabytes(NEW_DATABASE_BYTES)}, or choose a DATA_DIR on another disk, and start again.`,
      { cause: error },
    );
  return DAMAGED.test(code) || ABORTED.test(detail)
    ? new StartError(describeDamage(folder, detail), { cause: error })
    : undefined;
}

/** Beside a database that contains nothing of use yet: the next start or move creates it again. */
const markerOf = (folder: string): string => join(folder, 'postgres-incomplete');

export const markIncomplete = (folder: string): void =>
  writeFileSync(markerOf(folder), 'The database is being created. The next start creates it again.\n');

export const markComplete = (folder: string): void => rmSync(markerOf(folder), { force: true });

/** Returns whether a data folder contains a database, other than one whose creation was interrupted. */
export const hasEmbeddedDatabase = (folder: string): boolean =>
  existsSync(join(folder, 'postgres')) && !existsSync(markerOf(folder));

/** Removes a database that is closed. */
export function removeEmbeddedDatabase(folder: string): void {
  rmSync(join(folder, 'postgres'), { recursive: true, force: true });
  markComplete(folder);
}

/**
 * Opens the embedded database in a data folder, or creates it. A database whose creation was interrupted is created
 * again: until it is complete, a marker beside it says that it contains nothing yet.
 */
export async function openEmbeddedFolder(folder: string, onStatement?: StatementListener): Promise<Database> {
  const postgres = join(folder, 'postgres');
  try {
    mkdirSync(folder, { recursive: true });
    if (existsSync(markerOf(folder))) rmSync(postgres, { recursive: true, force: true });
    const isNew = isVacant(postgres);
    if (!isNew) assertCanOpen(folder, postgres);
    assertDiskSpace(folder, getFreeBytes(folder), isNew);
    if (isNew) markIncomplete(folder);
    const database = await openEmbedded(folder, undefined, onStatement);
    markComplete(folder);
    return database;
  } catch (error) {
    throw explainEmbeddedFailure(error, folder) ?? error;
  }
}
