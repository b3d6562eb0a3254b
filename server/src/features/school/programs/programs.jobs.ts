import type { Services } from '../../../context.ts';
import { inSchool } from '../../../database/school.ts';
import type { Job } from '../../../jobs/queue.ts';
import { listSchoolsToReview } from './programs.queries.ts';
import { reviewPrograms, reviewTimes } from './review-programs.service.ts';

/** Ends programs whose time is over, and asks admins about those that will end. One school that fails does not stop the others. */
export const programsJob = ({ database, clock, config }: Services): Job => ({
  name: 'programs',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    const errors: unknown[] = [];
    for (const schoolId of await listSchoolsToReview(database, reviewTimes(now))) {
      signal?.throwIfAborted();
      await inSchool(database, schoolId, (db) => reviewPrograms(db, now, config)).catch((error: unknown) =>
        errors.push(error),
      );
    }
    if (errors.length > 0) throw new AggregateError(errors, `The programs of ${errors.length} schools failed`);
  },
});
