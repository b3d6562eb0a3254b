import { createHash } from 'node:crypto';
import { BATCH_SIZE, type Cleanup, runCleanups } from '../database/batches.ts';
import type { Services } from '../context.ts';
import type { Job } from '../jobs/queue.ts';
import { eraseDetails } from './erase-details.queries.ts';
import { findEntriesWithNames } from './named-people.queries.ts';

/** Stands for the receipt of an erasure: these entries are emptied for no one's erasure. */
const RECEIPT = createHash('sha256').update('audit-names').digest();

/**
 * Each night: empties the details that an earlier release wrote with names and addresses. A migration could not: that
 * release goes on writing them beside this one, and the entries are sealed.
 */
export const auditNamesJob = ({ database, config }: Services): Job => ({
  name: 'audit-names',
  schedule: '38 3 * * *',
  canRunLate: true,
  run: (_data, signal) => {
    const eraseNext: Cleanup = async (db) => {
      const found = await findEntriesWithNames(db, BATCH_SIZE);
      if (!found) return 0;
      await eraseDetails(db, found.schoolId, found.entryIds, { config, receipt: RECEIPT });
      return BATCH_SIZE;
    };
    return runCleanups(database, [eraseNext], signal);
  },
});
