import { AppError } from '../../../errors.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffSession } from '../../../context.ts';
import { type Actor, recordChange } from '../../../audit/audit-log.queries.ts';
import { setArchived, setRestored } from './archive.queries.ts';
import { getPupils } from '../pupils/pupils.public.ts';

/** Archives all of the pupils or none. Throws `pupil_not_found`. */
export async function archivePupils(
  db: SchoolDb,
  me: StaffSession,
  pupilIds: readonly number[],
  now: Date,
): Promise<void> {
  await getPupils(db, me, pupilIds);
  const archived = await setArchived(db, pupilIds, me.userId, now);
  if (archived.length < pupilIds.length) throw new AppError('pupil_not_found');
  await recordChange(db, me, now, {
    action: 'pupils_archived',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: archived },
  });
}

/** Restores all of the pupils or none. Throws `pupil_not_found`. The caller checks the capacity first. */
export async function restorePupils(db: SchoolDb, me: Actor, pupilIds: readonly number[], now: Date): Promise<void> {
  const restored = await setRestored(db, pupilIds);
  if (restored.length < pupilIds.length)
    throw new AppError('pupil_not_found', {
      text: 'Some of these pupils are no longer in the archive. Reload the list.',
      missingPupils: pupilIds.filter((id) => !restored.includes(id)),
    });
  await recordChange(db, me, now, {
    action: 'pupils_restored',
    subjectKind: 'school',
    subjectId: db.schoolId,
    details: { pupils: restored },
  });
}
