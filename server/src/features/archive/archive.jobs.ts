import { inPlatform } from '../../database/platform.ts';
import { inSchool } from '../../database/school.ts';
import type { Services } from '../../http/pipeline.ts';
import type { Job } from '../../jobs/queue.ts';
import { recordChange, NO_ACTOR } from '../../audit/audit-log.queries.ts';
import { ARCHIVE_TTL_MS, eraseArchived, listOverdue } from './archive.queries.ts';

/** Pupils whom one round erases: each takes what they read along, thousands of rows. */
const A_ROUND = 200;

/** Each night: erases the pupils whose 30 days in the archive are over, school by school. */
export const archiveCleanupJob = ({ database, clock }: Services): Job => ({
  name: 'archive-cleaning',
  schedule: '55 3 * * *',
  run: async () => {
    const now = clock.now();
    const before = new Date(now.getTime() - ARCHIVE_TTL_MS);
    for (;;) {
      const overdue = await inPlatform(database, (db) => listOverdue(db, before, A_ROUND));
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
