import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { listDueClosings } from '../erasure/erasure.public.ts';
import { closeOverdue, eraseOverdueSchool } from './school-closing.service.ts';

/** Schools read at once. */
const PAGE_SIZE = 100;

/** Closes the schools whose request is due, and erases those whose time is over. One that fails does not stop the others. */
export const schoolClosingsJob = (services: Services): Job => ({
  name: 'school-closings',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = services.clock.now();
    const errors: unknown[] = [];
    for (let last = 0, isDone = false; !isDone;) {
      const due = await listDueClosings(services.database, now, last, PAGE_SIZE);
      for (const { school_id: schoolId, is_closed: isClosed } of due) {
        signal?.throwIfAborted();
        const work = isClosed
          ? eraseOverdueSchool(services, schoolId, now, signal)
          : closeOverdue(services, schoolId, now);
        await work.catch((error: unknown) => errors.push(error));
        last = schoolId;
      }
      isDone = due.length < PAGE_SIZE;
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} schools could not be closed or erased`);
  },
});
