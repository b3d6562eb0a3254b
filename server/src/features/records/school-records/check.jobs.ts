import { listAdmins } from '../../accounts/access/access.public.ts';
import { dayIn } from '../../../clock.ts';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import { getSchoolAccess } from '../../billing/subscriptions/subscriptions.public.ts';
import type { Services } from '../../../context.ts';
import { enqueue, enqueueForSchools, type Job } from '../../../jobs/queue.ts';
import { sendMail } from '../../../mail/mail.ts';
import { generateCredentials } from '../../school/login-cards/login-cards.public.ts';
import { checkMail, failureMail } from './check.mail.ts';
import {
  type CheckedSchoolRecords,
  listNightlyJoiners,
  lockDue,
  applyNightlyCheck,
  toChecked,
} from './check.service.ts';
import { claimConnection, endClaim, findConnection, listConnectedSchools } from './connection.queries.ts';
import { CLAIM_MARGIN_MS, NIGHTLY_CHECK_MS, readServer } from './connection.service.ts';
import { SchoolRecordsFileError } from './file-content.service.ts';

const CHECKS_JOB = 'school-records-checks';
const CHECK_JOB = 'school-records-check';

interface NightlyCheck {
  schoolId: number;
  /** The day in London on which it was enqueued. */
  day: string;
}

/** Each night: enqueues a check for each school with a connection that is not paused. */
export const checksJob = ({ database, clock }: Services): Job => ({
  name: CHECKS_JOB,
  schedule: '30 1 * * *',
  canRunLate: true,
  run: async (_data, signal) => {
    const day = dayIn('Europe/London', clock.now());
    await enqueueForSchools(database, signal, async (db, after, limit) => {
      const schools = await listConnectedSchools(db, after, limit);
      for (const schoolId of schools) await enqueue(db, CHECK_JOB, { schoolId, day } satisfies NightlyCheck);
      return schools.at(-1);
    });
  },
});

/**
 * Checks the records of one school. A check of another day is dropped. Few run at the same time, because each holds a
 * whole school in memory, and many schools may have the same supplier.
 */
export const checkJob = ({ database, clock, config }: Services): Job<NightlyCheck> => ({
  name: CHECK_JOB,
  concurrency: 2,
  maxSeconds: 900,
  run: async ({ schoolId, day }, stopping) => {
    const now = clock.now();
    if (day !== dayIn('Europe/London', now)) return;
    const write = <T>(work: (db: SchoolDb) => Promise<T>) => inSchool(database, schoolId, work);
    const claimed = await write(async (db) => {
      const isDue = (await findConnection(db))?.is_paused === false && (await getSchoolAccess(db, now)) === 'open';
      return isDue ? claimConnection(db, now, new Date(now.getTime() + NIGHTLY_CHECK_MS + CLAIM_MARGIN_MS)) : undefined;
    });
    if (!claimed) return;
    const { claimId, connection } = claimed;
    const timeout = AbortSignal.timeout(NIGHTLY_CHECK_MS);
    const signal = stopping ? AbortSignal.any([stopping, timeout]) : timeout;
    let checked: CheckedSchoolRecords;
    try {
      checked = toChecked(await readServer(connection, { config, now, signal }), connection, claimId, config);
    } catch (error) {
      if (error instanceof SchoolRecordsFileError)
        return write((db) => recordFailure(db, claimId, error.failure, { config, now }));
      await write((db) => endClaim(db, claimId, undefined));
      throw error;
    }
    const classNames = await write((db) => listNightlyJoiners(db, checked, now));
    const credentials = await generateCredentials(classNames, config.hashCost);
    await write(async (db) => {
      const outcome = await applyNightlyCheck(db, checked, credentials, { now, config });
      if (!outcome?.applied && !outcome?.openPlan) return;
      for (const { id, email } of await listAdmins(db))
        await sendMail(db, checkMail(config, email, outcome), { users: [id] }, now);
    });
  },
});

/** Stores why a check failed, and emails it to the admins unless they know. */
async function recordFailure(
  db: SchoolDb,
  claimId: string,
  failure: string,
  { config, now }: Pick<Services, 'config'> & { now: Date },
): Promise<void> {
  const connection = await lockDue(db, claimId, now);
  if (!connection) return;
  await endClaim(db, claimId, { checked_at: now, result: { failure }, is_failure_mailed: true });
  if (connection.is_failure_mailed) return;
  for (const { id, email } of await listAdmins(db))
    await sendMail(db, failureMail(config, email, failure), { users: [id] }, now);
}
