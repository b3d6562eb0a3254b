import type { Services } from '../../../context.ts';
import type { Job } from '../../../jobs/queue.ts';
import { iterateDueClosings } from '../erasure/erasure.public.ts';
import { closeOverdue, eraseOverdueSchool } from './school-closing.service.ts';

/** Closes the schools whose request is due, and erases those whose time is over. One that fails does not stop the others. */
export const schoolClosingsJob = (services: Services): Job => ({
  name: 'school-closings',
  schedule: '*/10 * * * *',
  run: async (_data, signal) => {
    const now = services.clock.now();
    const errors: unknown[] = [];
    for await (const { schoolId, isClosed } of iterateDueClosings(services.database, now)) {
      signal?.throwIfAborted();
      const work = isClosed
        ? eraseOverdueSchool(services, schoolId, now, signal)
        : closeOverdue(services, schoolId, now);
      await work.catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, `${errors.length} schools could not be closed or erased`);
  },
});
