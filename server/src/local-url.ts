import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const pathIn = (dataDir: string): string => join(dataDir, 'local-url');

/** The URL at which a portal serves from this data folder; undefined without one. A killed portal leaves its URL. */
export const findLocalUrl = (dataDir: string): string | undefined =>
  existsSync(pathIn(dataDir)) ? readFileSync(pathIn(dataDir), 'utf8') : undefined;

/** Records at which URL other processes of this machine reach the portal. */
export const recordLocalUrl = (dataDir: string, url: string): void => writeFileSync(pathIn(dataDir), url);

/** Removes the record, unless another process that shares the data folder has replaced it. */
export function removeLocalUrl(dataDir: string, url: string): void {
  if (findLocalUrl(dataDir) === url) rmSync(pathIn(dataDir), { force: true });
}
