import type { Stats } from 'node:fs';
import { chmod, lstat, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Permission bits of every account but the owner's. */
const OTHERS = 0o077;
const WORLD = 0o007;

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

/** Removes everyone's permissions on a file but its owner's. Skips links, because their targets may be shared. */
async function makePrivate(path: string, stats: Stats): Promise<void> {
  if (stats.isSymbolicLink() || (stats.mode & OTHERS) === 0) return;
  try {
    await chmod(path, stats.mode & 0o700);
  } catch (error) {
    if (isMissing(error)) return;
    // A mounted folder may belong to another account, which may share it with trusted accounts but not with everyone.
    if ((error as { code?: string }).code !== 'EPERM' || (stats.mode & WORLD) !== 0)
      throw new Error(
        `${path} can be read by other users of this machine, and its permissions cannot be changed. Give DATA_DIR to the account that runs the portal (chown), or choose another folder.`,
        { cause: error },
      );
  }
}

async function makeTreePrivate(path: string): Promise<void> {
  try {
    const stats = await lstat(path);
    await makePrivate(path, stats);
    if (!stats.isDirectory()) return;
    for (const name of await readdir(path)) await makeTreePrivate(join(path, name));
  } catch (error) {
    // Another process of this portal may clean up at the same time.
    if (!isMissing(error)) throw error;
  }
}

/**
 * Makes the data folder and everything in it accessible to this account alone (0700 and 0600), including what earlier
 * starts left open, and everything that this process creates later.
 */
export async function securePrivateFolder(folder: string): Promise<void> {
  process.umask(OTHERS);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await makeTreePrivate(folder);
}
