import { AppError } from '../../http/errors.ts';
import type { SchoolDb } from '../../database/school.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { recordChange } from '../../audit/audit-log.queries.ts';
import { archivePupils, restorePupils } from './archive.queries.ts';
import { getPupils } from '../pupils/pupils.public.ts';

/** Archives pupils, all or none. Throws `pupil_not_found`. */
export async function archive(db: SchoolDb, me: StaffSession, pupilIds: readonly number[], now: Date): Promise<void> {
  await getPupils(db, me, pupilIds);
  const archived = await archivePupils(db, pupilIds, me.userId, now);
  if (archived.length < pupilIds.length) throw new AppError('pupil_not_found');
  await recordChange(db, me, now, {
    action: 'pupils_archived',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: archived },
  });
}

/** Brings pupils back from the archive, all or none. Throws `pupil_not_found`. The caller has seen to the places left. */
export async function restore(db: SchoolDb, me: StaffSession, pupilIds: readonly number[], now: Date): Promise<void> {
  const restored = await restorePupils(db, pupilIds);
  if (restored.length < pupilIds.length)
    throw new AppError('pupil_not_found', {
      text: 'Some of these pupils are not in the archive any more. Load the list again.',
    });
  await recordChange(db, me, now, {
    action: 'pupils_restored',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: restored },
  });
}
