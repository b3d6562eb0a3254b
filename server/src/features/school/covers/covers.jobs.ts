import type { Services } from '../../../context.ts';
import { readInPlatform } from '../../../database/platform.ts';
import { inSchool } from '../../../database/school.ts';
import type { Job } from '../../../jobs/queue.ts';
import { leaveSchool } from '../teachers/teachers.public.ts';
import { listCoversBy, listSupplyTeachersToRemove, lockCoveringMember } from './covers.queries.ts';

/** Removes supply teachers whose covers have ended from the staff. One that fails does not stop the others. */
export const supplyTeachersJob = ({ database, clock }: Services): Job => ({
  name: 'supply-teachers',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    const errors: unknown[] = [];
    const people = await readInPlatform(database, (db) => listSupplyTeachersToRemove(db, now));
    for (const { school_id: schoolId, user_id: userId } of people) {
      signal?.throwIfAborted();
      await inSchool(database, schoolId, async (db) => {
        const isSupply = (await lockCoveringMember(db, userId)) === 'supply_teacher';
        if (isSupply && (await listCoversBy(db, userId, now)).length === 0) await leaveSchool(db, userId, now);
      }).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} supply teachers could not be removed`);
  },
});
