import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { listImportedContent } from './content-files.queries.ts';

/** Publishers' covers and previews are stored in `DATA_DIR/content/originals`, named by book and hash. */
const KINDS = ['covers', 'previews'] as const;
type Kind = (typeof KINDS)[number];

const originalsFolder = (dataDir: string): string => join(dataDir, 'content', 'originals');
/** All backups in a folder share the copies: the files never change, so each is copied once. */
const copiesFolder = (backupFolder: string): string => join(backupFolder, 'originals');

const fileName = (bookId: number, version: string): string => `${bookId}-${version}`;

/** The path of a publisher's cover or preview, exactly as it was imported. */
export const originalPath = (dataDir: string, kind: Kind, bookId: number, version: string): string =>
  join(originalsFolder(dataDir), kind, fileName(bookId, version));

/** Copies the files that are missing from `target`. A copy gets its name once it is complete. */
async function copyMissing(source: string, target: string): Promise<void> {
  for (const kind of KINDS) {
    const from = join(source, kind);
    if (!existsSync(from)) continue;
    await mkdir(join(target, kind), { recursive: true, mode: 0o700 });
    for (const name of await readdir(from)) {
      const copy = join(target, kind, name);
      if (name.endsWith('.partial') || existsSync(copy)) continue;
      await copyFile(join(from, name), `${copy}.partial`);
      await rename(`${copy}.partial`, copy);
    }
  }
}

/** Copies publishers' covers and previews into the folder of the backups. */
export const backUpOriginals = (dataDir: string, backupFolder: string): Promise<void> =>
  copyMissing(originalsFolder(dataDir), copiesFolder(backupFolder));

/** Copies publishers' covers and previews back from the folder of a backup. */
export const restoreOriginals = (backupFolder: string, dataDir: string): Promise<void> =>
  copyMissing(copiesFolder(backupFolder), originalsFolder(dataDir));

const MAX_NAMED = 20;

/** The imported books whose cover or preview is missing from `DATA_DIR`. */
export async function findMissingOriginals(
  db: PlatformDb,
  dataDir: string,
): Promise<{ rule: string; breaches: string[] }> {
  const books = await listImportedContent(db);
  const missing = books.flatMap(({ id, cover_version, preview_version }) =>
    [
      { kind: 'covers' as const, word: 'cover', version: cover_version },
      { kind: 'previews' as const, word: 'preview', version: preview_version },
    ].flatMap(({ kind, word, version }) =>
      version === null || existsSync(originalPath(dataDir, kind, id, version)) ? [] : [`the ${word} of book ${id}`],
    ),
  );
  const unnamed = missing.length - MAX_NAMED;
  return {
    rule: 'each imported cover and preview exists',
    breaches: [...missing.slice(0, MAX_NAMED), ...(unnamed > 0 ? [`${unnamed} more`] : [])],
  };
}
