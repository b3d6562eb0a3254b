import { endChain } from '../../../audit/seal-audit.queries.ts';
import { NO_ACTOR } from '../../../audit/audit-log.queries.ts';
import { type Cleanup, runCleanups } from '../../../database/batches.ts';
import type { Database } from '../../../database/database.ts';
import { listAccountsOfSchool } from './former-staff.queries.ts';
import { lockSchool } from '../../../database/lock-school.ts';
import { inSchool, readInSchool, type SchoolDb } from '../../../database/school.ts';
import { renderSchoolReceipt } from './erasure-receipt.service.ts';
import { type ErasureConfig, recordReceipt } from './erasure.service.ts';
import { countRowsOfSchool, deleteAccountsOfSchool, deleteMailsOfSchool } from './erasure.queries.ts';
import type { ErasureCounts } from './erasure-receipts.queries.ts';
import {
  deleteBatchOfSchool,
  ENDING_TABLES,
  endSchool,
  getCreationTime,
  listPrimaryKeys,
  lockClosing,
  markErasing,
} from './school-erasure.queries.ts';

/*
 * Erasing a whole school: hundreds of thousands of rows, while other schools are working. What can go wrong:
 *
 * - The school changes its mind. `begin` decides under the school's lock, as reopening does, so one of the two
 *   happens. Once it has stored the counts of what will be deleted (`erased_counts`), the school cannot be reopened.
 * - One long transaction stops everyone else. Rows are deleted in batches, each in a transaction of its own.
 * - The process dies halfway. The request, the staff and the place of the receipt (`LAST`) are deleted at the very
 *   end, with the receipt and the last emails, in one transaction. Until then the next run finds the request and
 *   deletes what is left. If two processes work at once, the slower one finds no request and stops.
 * - Someone joins another school meanwhile and loses the account. Accounts are chosen and locked in the last
 *   transaction. The receipt, a PDF, is rendered outside it and states their number. If that has changed, both are
 *   done again.
 * - The accounts of the company have gaps. Tables declared `outlivesSchool`, the invoices above all, remain, and so
 *   does the school's name.
 * - A restored backup contains the school again: the list beside the backups erases it, as it does for people.
 */

/** What is left of an erased school for its last email. */
export interface ErasedSchool {
  name: string;
  erasureId: number;
  rows: number;
  digest: string;
  backupsExpireOn: string | null;
  /** A PDF without the name of the school. */
  receipt: Buffer;
}

interface SchoolErasure {
  schoolId: number;
  now: Date;
  /** Erases the school whether or not it asked for it, as after a restore. */
  isAgain?: boolean;
  /** The emails with the receipt, sent in the transaction that deletes the accounts. After a restore there are none. */
  mails?: {
    productName: string;
    listRecipients: (db: SchoolDb) => Promise<readonly string[]>;
    send: (db: SchoolDb, recipient: string, erased: ErasedSchool) => Promise<void>;
  };
  signal?: AbortSignal | undefined;
}

/** Returns whether the erasure has begun, now or earlier. */
const begin = (database: Database, { schoolId, now, isAgain }: SchoolErasure): Promise<boolean> =>
  inSchool(database, schoolId, async (db) => {
    await lockSchool(db);
    const closing = await lockClosing(db);
    if (closing?.erased_counts) return true;
    if (!isAgain && !(closing?.erase_at && closing.erase_at <= now)) return false;
    const userIds = await listAccountsOfSchool(db, { locks: false });
    const outbox = await deleteMailsOfSchool(db, userIds);
    const counts: ErasureCounts = { ...(await countRowsOfSchool(db)), users: userIds.length, outbox };
    await markErasing(db, counts, now);
    return true;
  });

/** Erases a closed school whose time is over, or finishes that. Returns whether it was due. */
export async function eraseSchool(database: Database, config: ErasureConfig, erasure: SchoolErasure): Promise<boolean> {
  const { schoolId, now, mails, signal } = erasure;
  if (!(await begin(database, erasure))) return false;
  const { counted, createdAt, keys } = await inSchool(database, schoolId, async (db) => ({
    counted: (await lockClosing(db))?.erased_counts ?? {},
    createdAt: await getCreationTime(db),
    keys: await listPrimaryKeys(db),
  }));
  await runCleanups(
    database,
    [
      ...ENDING_TABLES.map(
        (table): Cleanup =>
          (db) =>
            deleteBatchOfSchool(db, schoolId, table, keys.get(table) ?? []),
      ),
      async (db) => {
        await endChain(db, config, schoolId);
        return 0;
      },
    ],
    signal,
  );
  for (let isDone = false; !isDone;) {
    signal?.throwIfAborted();
    const users = (await readInSchool(database, schoolId, (db) => listAccountsOfSchool(db, { locks: false }))).length;
    const counts = { ...counted, users };
    const erasureOfSchool = { kind: 'school', subject: { id: schoolId, createdAt }, counts } as const;
    const receipt = mails && (await renderSchoolReceipt(mails.productName, config, now, erasureOfSchool));
    isDone = await inSchool(database, schoolId, async (db) => {
      await lockSchool(db);
      if (!(await lockClosing(db))) return true;
      const recipients = (await mails?.listRecipients(db)) ?? [];
      const userIds = await listAccountsOfSchool(db, { locks: true });
      if (userIds.length !== users) return false;
      await deleteMailsOfSchool(db, userIds);
      await deleteAccountsOfSchool(db, userIds);
      const name = await endSchool(db);
      const { id: erasureId, ...recorded } = await recordReceipt(db, config, NO_ACTOR, now, erasureOfSchool);
      const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
      if (!mails || !receipt) return true;
      for (const recipient of recipients)
        await mails.send(db, recipient, { name, erasureId, rows, ...recorded, receipt });
      return true;
    });
  }
  return true;
}
