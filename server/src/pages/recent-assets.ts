import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.ts';

/** For how long the files of a build are served after the last process of that build has marked them. */
const RETENTION_MS = 24 * 3_600_000;
export const MARK_INTERVAL_MS = 3_600_000;

/** A file of a build. Partial copies begin with a dot; the compressed variants are sent under the name of their file. */
const ASSET_NAME = /^[\w-][\w.-]*\.(?!br$|gz$)\w+$/;

const folderIn = (dataDir: string): string => join(dataDir, 'assets');

const isMissing = (error: unknown): boolean => (error as { code?: string }).code === 'ENOENT';

/** Sets the time of a file; returns false when the file is missing. */
const mark = (path: string, now: Date): Promise<boolean> =>
  utimes(path, now, now).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) return false;
      throw error;
    },
  );

/** Whether a process of the file's build has marked it within the last day. */
async function isRecent(path: string, now: Date): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true && now.getTime() - found.mtimeMs <= RETENTION_MS;
}

/**
 * Copies the scripts and styles of this process's build to `DATA_DIR/assets`, marks those that are there as in use, and
 * deletes those that no process has marked for a day. Their names contain a hash of their content.
 */
export async function shareAssets(webFolder: string, dataDir: string, now: Date): Promise<void> {
  const folder = folderIn(dataDir);
  const source = join(webFolder, 'assets');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const own = new Set(await readdir(source));
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (!own.has(name) && !(await isRecent(path, now))) await rm(path, { force: true });
  }
  const missing: string[] = [];
  for (const name of own) if (!(await mark(join(folder, name), now))) missing.push(name);
  // Last, because a full disk ends it.
  for (const name of missing) {
    const partial = join(folder, `.${randomUUID()}`);
    try {
      // Not its time and permissions, and in two steps, so that other processes see the whole file or none.
      await writeFile(partial, await readFile(join(source, name)), { mode: 0o600, flag: 'wx' });
      await utimes(partial, now, now);
      await rename(partial, join(folder, name));
    } finally {
      await rm(partial, { force: true });
    }
  }
}

/**
 * Serves the scripts and styles of other builds of the last day: during an upgrade, a page of one process loads them from
 * another, and an open page loads those of the build before.
 */
export function serveRecentAssets(app: FastifyInstance, dataDir: string, now: () => Date): void {
  const folder = folderIn(dataDir);
  app.get<{ Params: { name: string } }>('/assets/:name', async (request, reply) => {
    const { name } = request.params;
    if (!ASSET_NAME.test(name) || !(await isRecent(join(folder, name), now()))) throw new AppError('not_found');
    return reply.sendFile(name, folder);
  });
}
