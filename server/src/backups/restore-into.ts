import { withLockIfFree } from '../database/advisory-locks.ts';
import type { Database } from '../database/database.ts';
import { readInPlatform } from '../database/platform.ts';
import { finishRestore, type RestoreReport, type RestoreSteps } from './after-restore.ts';
import { type Manifest, readBackup } from './backup-file.ts';
import { listTables } from '../database/invariants.queries.ts';
import {
  assertCanCreate,
  assertCopyName,
  atDatabase,
  createMarked,
  dropDatabase,
  findDatabase,
  listPrograms,
  setMark,
} from './named-databases.ts';
import { assertRestorable, connectPatiently, restoreServer, withPatientConnection } from './restore.ts';

/*
 * Restoring a backup beside the live database, on the same server. What can go wrong:
 *
 * - The copy is taken for the live portal: it would send yesterday's emails and be served before erasures are
 *   repeated. A comment on the database marks it as `incomplete` before the first row, then as `copy`. No process
 *   starts on an incomplete database, and none runs jobs on a copy.
 * - The wrong database is overwritten. The target must not be the live one, nor in use, nor another account's, nor
 *   have tables. The one exception is a database that an interrupted restore left, which its mark proves: it is
 *   dropped.
 * - A failed attempt leaves rubbish. A database that this run created is dropped again.
 * - The live database is gone, which may be why someone restores. The command then connects to the server's
 *   `postgres`.
 * - Two people restore at once. The second one gets no lock, and stops.
 */

const CANNOT_CONNECT_TO_IT = new Set(['3D000', '42501']);

/** Connects to the live database, or where that is gone, to the one of every server. */
async function connectBeside(liveUrl: string): Promise<Database> {
  const live = connectPatiently(liveUrl);
  try {
    await readInPlatform(live, listTables);
    return live;
  } catch (error) {
    await live.close();
    if (!CANNOT_CONNECT_TO_IT.has((error as { code?: string }).code ?? '')) throw error;
    return connectPatiently(atDatabase(liveUrl, 'postgres'));
  }
}

const isEmpty = (url: string): Promise<boolean> =>
  withPatientConnection(url, async (database) => (await readInPlatform(database, listTables)).length === 0);

/** Makes an empty database of this name, marked as incomplete. Returns whether it was created. */
async function prepareTarget({ kysely }: Database, name: string, url: string): Promise<boolean> {
  const found = await findDatabase(kysely, name);
  if (!found) {
    await assertCanCreate(kysely, name);
    await createMarked(kysely, name, 'incomplete');
    return true;
  }
  const programs = await listPrograms(kysely, name);
  if (programs.length > 0)
    throw new Error(`The database ${name} is in use by ${programs.join(', ')}. Nothing has changed.`);
  if (!found.isOwn)
    throw new Error(
      `The database ${name} belongs to another account. Make the portal's account its owner, or choose another name. Nothing has changed.`,
    );
  if (!(await isEmpty(url))) {
    if (found.mark !== 'incomplete')
      throw new Error(`The database ${name} is not empty. Choose another name, or drop it. Nothing has changed.`);
    await assertCanCreate(kysely, name, `drop database ${name}; `);
    await dropDatabase(kysely, name);
    await createMarked(kysely, name, 'incomplete');
    return true;
  }
  await setMark(kysely, name, 'incomplete');
  return false;
}

/**
 * Restores a backup to a database beside the live one, on the same server: all of it or nothing. The copy is marked:
 * processes run no jobs on it, and `npm run after-restore` makes it the live one.
 */
export async function restoreInto(
  liveUrl: string,
  name: string,
  path: string,
  steps: Omit<RestoreSteps, 'isCopy'>,
): Promise<RestoreReport & { manifest: Manifest }> {
  assertCopyName(name, liveUrl);
  const manifest = await readBackup(path);
  assertRestorable(manifest);
  const beside = await connectBeside(liveUrl);
  try {
    const report = await withLockIfFree(beside.kysely, 'copy', async () => {
      const url = atDatabase(liveUrl, name);
      const isNew = await prepareTarget(beside, name, url);
      try {
        const database = await restoreServer(url, path, manifest);
        try {
          return await finishRestore(database, { ...steps, isCopy: true });
        } finally {
          await database.close();
        }
      } catch (error) {
        if (isNew) await dropDatabase(beside.kysely, name);
        throw error;
      }
    });
    if (!report) throw new Error('Another restore beside this portal is running. Try again once it has finished.');
    return { manifest, ...report };
  } finally {
    await beside.close();
  }
}
