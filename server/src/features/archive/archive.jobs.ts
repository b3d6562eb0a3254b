import { inPlatform } from '../../database/platform.ts';
import { inSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { recordChange, NO_ACTOR } from '../../audit/audit-log.queries.ts';
import { ARCHIVE_TTL_MS, eraseArchived, listOverdue } from './archive.queries.ts';

/** Pupils erased in one round: each has thousands of rows. */
const BATCH_SIZE = 200;

/** Erases, each night and school by school, the pupils who have been in the archive for 30 days. */
export const archiveCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'archive-cleaning',
  schedule: '55 3 * * *',
  run: async (_data, signal) => {
    const now = clock.now();
    const before = new Date(now.getTime() - ARCHIVE_TTL_MS);
    for (;;) {
      signal?.throwIfAborted();
      const overdue = await inPlatform(database, (db) => listOverdue(db, before, BATCH_SIZE));
      for (const [schoolId, pupilIds] of overdue)
        await inSchool(database, schoolId, async (db) => {
          for (const id of await eraseArchived(db, pupilIds))
            await recordChange(db, NO_ACTOR, now, {
              action: 'pupil_deleted',
              subjectKind: 'pupil',
              subjectId: id,
            });
        });
      if (overdue.size === 0) return;
    }
  },
});
