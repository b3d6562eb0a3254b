import { inSchool } from '../../../database/school.ts';
import type { Services } from '../../../context.ts';
import { enqueue, enqueueForSchools, type Job } from '../../../jobs/queue.ts';
import { addDays } from '../../../clock.ts';
import { listDigestSchools } from './weekly-digest.queries.ts';
import { mondayOfLastWeek, sendDigests } from './weekly-digest.service.ts';

export const DIGEST_JOB = 'weekly-digest';
export const SCHOOL_DIGEST_JOB = 'weekly-digest-of-school';

export interface SchoolDigest {
  schoolId: number;
  /** The Monday of the week that the digest covers. */
  week: string;
}

/**
 * Each Monday: enqueues a job for each school with subscribers. A school further west gets its digest on its own
 * Monday morning, when its week is over.
 */
export const digestJob = ({ database, clock }: Services): Job => ({
  name: DIGEST_JOB,
  schedule: '0 7 * * 1',
  run: async (_data, signal) => {
    const now = clock.now();
    const week = mondayOfLastWeek(now);
    await enqueueForSchools(database, signal, async (db, after, limit) => {
      const schools = await listDigestSchools(db, addDays(week, 7), after, limit);
      for (const { id, from } of schools) {
        const job: SchoolDigest = { schoolId: id, week };
        await enqueue(db, SCHOOL_DIGEST_JOB, job, from > now ? { startAfter: from } : {});
      }
      return schools.at(-1)?.id;
    });
  },
});

/** Sends the digests of one school, all or none. A digest that is a week late is dropped. */
export const schoolDigestJob = ({ database, clock, config }: Services): Job<SchoolDigest> => ({
  name: SCHOOL_DIGEST_JOB,
  concurrency: 3,
  run: async ({ schoolId, week }) => {
    const now = clock.now();
    if (week === mondayOfLastWeek(now)) await inSchool(database, schoolId, (db) => sendDigests(db, week, config, now));
  },
});
