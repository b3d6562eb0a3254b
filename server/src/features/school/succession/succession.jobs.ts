import { AWAY_AFTER_DAYS } from '#contract/calls/admin-requests.ts';
import { DAY_MS } from '../../../clock.ts';
import type { Services } from '../../../context.ts';
import { readInPlatform } from '../../../database/platform.ts';
import { inSchool } from '../../../database/school.ts';
import type { Job } from '../../../jobs/queue.ts';
import { checkOnlyAdmin } from './absent-admins.service.ts';
import { iterateSchoolsToCheck } from './absent-admins.queries.ts';
import { listOpenRequests } from './succession.queries.ts';
import { settleRequest } from './succession.service.ts';

/** Carries out and ends requests to appoint an admin. One that fails does not stop the others. */
export const adminRequestsJob = ({ database, clock, config }: Services): Job => ({
  name: 'admin-requests',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    const errors: unknown[] = [];
    for (const { school_id: schoolId } of await readInPlatform(database, listOpenRequests)) {
      signal?.throwIfAborted();
      await inSchool(database, schoolId, (db) => settleRequest(db, now, config)).catch((error: unknown) =>
        errors.push(error),
      );
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} requests for an admin failed`);
  },
});

/** Asks only admins who have been away for long for a second admin. One that fails does not stop the others. */
export const absentAdminsJob = ({ database, clock, config }: Services): Job => ({
  name: 'absent-admins',
  schedule: '20 6 * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    const errors: unknown[] = [];
    for await (const { id } of iterateSchoolsToCheck(database, new Date(now.getTime() - AWAY_AFTER_DAYS * DAY_MS))) {
      signal?.throwIfAborted();
      await inSchool(database, id, (db) => checkOnlyAdmin(db, now, config)).catch((error: unknown) =>
        errors.push(error),
      );
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} schools could not be checked`);
  },
});
