import { NO_ACTOR } from '../../audit/audit-log.queries.ts';
import { runCleanups } from '../../database/batches.ts';
import type { Database } from '../../database/database.ts';
import { lockSchool } from '../../database/lock-school.ts';
import { inSchool } from '../../database/school.ts';
import type { SchoolDb } from '../../database/school.ts';
import { type ErasureConfig, recordReceipt } from './erasure.service.ts';
import {
  countRowsOfSchool,
  deleteAccountsOfSchool,
  deleteMailsOfSchool,
  listAccountsOfSchool,
} from './erasure.queries.ts';
import type { ErasureCounts } from './erasure-receipts.queries.ts';
import {
  deleteBatchOfSchool,
  ENDING_TABLES,
  endSchool,
  listPrimaryKeys,
  lockClosing,
  markErasing,
} from './school-erasure.queries.ts';

/** What is left of an erased school for its last email. */
export interface ErasedSchool {
  name: string;
  erasureId: number;
  rows: number;
  digest: string;
  backupsExpireOn: string | null;
}

interface SchoolErasure {
  schoolId: number;
  now: Date;
  /** Erases the school whether or not it asked for it, as after a restore. */
  isAgain?: boolean;
  /** Runs before the accounts are deleted, in the transaction that deletes them. */
  beforeEnd?: (db: SchoolDb) => Promise<(db: SchoolDb, erased: ErasedSchool) => Promise<void>>;
  signal?: AbortSignal | undefined;
}

/** Decides under the school's lock, as reopening does: one of the two happens. */
const begin = (database: Database, { schoolId, now, isAgain }: SchoolErasure): Promise<boolean> =>
  inSchool(database, schoolId, async (db) => {
    await lockSchool(db);
    const closing = await lockClosing(db);
    if (closing?.erased_counts) return true;
    if (!isAgain && !(closing?.erase_at && closing.erase_at <= now)) return false;
    const userIds = await listAccountsOfSchool(db);
    const outbox = await deleteMailsOfSchool(db, userIds);
    const counts: ErasureCounts = { ...(await countRowsOfSchool(db)), users: userIds.length, outbox };
    await markErasing(db, counts, userIds, now);
    return true;
  });

/**
 * Erases a closed school whose time is over: batch by batch, so that requests of other schools are served in between.
 * What a process that died had not deleted is deleted by the next. The school's name and its invoices remain. Returns
 * whether it was due.
 */
export async function eraseSchool(database: Database, config: ErasureConfig, erasure: SchoolErasure): Promise<boolean> {
  const { schoolId, now, beforeEnd, signal } = erasure;
  if (!(await begin(database, erasure))) return false;
  const last = await inSchool(database, schoolId, async (db) => {
    const closing = await lockClosing(db);
    const counts: ErasureCounts = closing?.erased_counts ?? {};
    return { userIds: closing?.user_ids ?? [], counts, keys: await listPrimaryKeys(db) };
  });
  await runCleanups(
    database,
    ENDING_TABLES.map((table) => (db) => deleteBatchOfSchool(db, schoolId, table, last.keys.get(table) ?? [])),
    signal,
  );
  await inSchool(database, schoolId, async (db) => {
    await lockSchool(db);
    // Another process was faster.
    if (!(await lockClosing(db))) return;
    const afterEnd = await beforeEnd?.(db);
    await deleteMailsOfSchool(db, last.userIds);
    await deleteAccountsOfSchool(db, last.userIds);
    const { name, createdAt } = await endSchool(db);
    const subject = { id: schoolId, createdAt };
    const receipt = await recordReceipt(db, config, NO_ACTOR, now, { kind: 'school', subject, counts: last.counts });
    const rows = Object.values(last.counts).reduce((sum, count) => sum + count, 0);
    await afterEnd?.(db, { name, erasureId: receipt.id, rows, ...receipt });
  });
  return true;
}
