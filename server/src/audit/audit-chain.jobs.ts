import { monthsBefore } from '../clock.ts';
import { BATCH_SIZE, type Cleanup, runCleanups } from '../database/batches.ts';
import { isTimeTrusted } from '../database/trusted-time.ts';
import type { Services } from '../http/pipeline.ts';
import type { Job } from '../jobs/queue.ts';
import { findSchoolToPrune, findSchoolToSeal, pruneEntries, sealEntries } from './audit-chain.queries.ts';

export const AUDIT_LOG_MONTHS = 24;

/** Adds new entries of the audit logs to their chains, one school in a transaction. docs/decisions/audit-chain.md */
export const auditSealingJob = ({ database, config, clock }: Services): Job => ({
  name: 'audit-sealing',
  schedule: '*/5 * * * *',
  run: (_data, signal) => {
    let last = 0;
    const sealNext: Cleanup = async (db) => {
      const now = clock.now();
      const schoolId = await findSchoolToSeal(db, last, now);
      if (schoolId === undefined) return 0;
      await sealEntries(db, config, schoolId, now);
      last = schoolId;
      return BATCH_SIZE;
    };
    return runCleanups(database, [sealNext], signal);
  },
});

/** Each night: deletes the entries of the audit logs that are past their retention period. */
export const auditPruningJob = ({ database, config, clock }: Services): Job => ({
  name: 'audit-pruning',
  schedule: '42 3 * * *',
  run: (_data, signal) => {
    const before = monthsBefore(clock.now(), AUDIT_LOG_MONTHS);
    let last = 0;
    const pruneNext: Cleanup = async (db) => {
      if (!(await isTimeTrusted(db, clock))) return 0;
      const schoolId = await findSchoolToPrune(db, before, last);
      if (schoolId === undefined) return 0;
      if ((await pruneEntries(db, config, schoolId, before)) === 0) last = schoolId;
      return BATCH_SIZE;
    };
    return runCleanups(database, [pruneNext], signal);
  },
});
