import { runCleanups } from '../../database/batches.ts';
import { inPlatform } from '../../database/platform.ts';
import type { PlatformDb } from '../../database/platform-db.ts';
import { inSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import { enqueue, type Job } from '../../jobs/queue.ts';
import { addDays, DAY_MS } from '../../clock.ts';
import { deleteOldDigestLinks, deleteOldDigests, listDigestSchools } from './digest.queries.ts';
import { lastWeek, writeDigests } from './digest.service.ts';

export const DIGEST_JOB = 'weekly-digest';
export const SCHOOL_DIGEST_JOB = 'weekly-digest-of-school';

/** How long a link that ends the digest works, and how long the record of a digest is retained. */
const DIGEST_TTL_MS = 365 * DAY_MS;
/** Schools put into the queue in one transaction: the embedded database's one connection serves requests in between. */
const AT_ONCE = 200;

export interface SchoolDigest {
  schoolId: number;
  /** The Monday of the week told of. */
  week: string;
}

/**
 * Each Monday: a job for each school in which somebody wants the digest. A school whose Monday morning comes later
 * gets its digest then: its week is not over before.
 */
export const digestJob = ({ database, clock }: Services): Job => ({
  name: DIGEST_JOB,
  schedule: '0 7 * * 1',
  run: async () => {
    const now = clock.now();
    const week = lastWeek(now);
    let last: number | undefined = 0;
    while (last !== undefined) {
      const after: number = last;
      last = await inPlatform(database, (db) => startSchools(db, week, after, now));
    }
  },
});

/** Starts a page of schools, and returns the last one's id; undefined when there are no more. */
async function startSchools(db: PlatformDb, week: string, after: number, now: Date): Promise<number | undefined> {
  const schools = await listDigestSchools(db, addDays(week, 7), after, AT_ONCE);
  for (const { id, from } of schools) {
    const job: SchoolDigest = { schoolId: id, week };
    await enqueue(db, SCHOOL_DIGEST_JOB, job, from > now ? { startAfter: from } : {});
  }
  return schools.at(-1)?.id;
}

/** The digests of one school: all of them or, when something fails, none yet. One that comes a week late is no news. */
export const schoolDigestJob = ({ database, clock, config }: Services): Job<SchoolDigest> => ({
  name: SCHOOL_DIGEST_JOB,
  run: async ({ schoolId, week }) => {
    const now = clock.now();
    if (week === lastWeek(now)) await inSchool(database, schoolId, (db) => writeDigests(db, week, config, now));
  },
});

/** Each night: deletes the records of digests, and their links, that are past their retention period. */
export const digestCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'digests-cleaning',
  schedule: '48 3 * * *',
  run: () => {
    const before = new Date(clock.now().getTime() - DIGEST_TTL_MS);
    return runCleanups(database, [(db) => deleteOldDigestLinks(db, before), (db) => deleteOldDigests(db, before)]);
  },
});
