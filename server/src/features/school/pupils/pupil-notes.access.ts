import { roleAllows } from '#contract/permissions.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffMember, StaffSession } from '../../../context.ts';
import { detailScope } from '../classes/classes.public.ts';
import { getPupils, getPupilsToChange } from './pupils.access.ts';
import type { PupilRecord } from './pupils.queries.ts';

/**
 * Whether the caller may read a pupil's notes, tags, hard words and reasons for needing help: admins, reading leads and the
 * teachers of the pupil's current class (docs/permissions.md).
 */
export function canReadDetails(me: StaffMember, pupil: Pick<PupilRecord, 'can_update' | 'group'>): boolean {
  const details = detailScope(me);
  return details === 'school' || (details === 'own' && pupil.can_update && pupil.group !== null);
}

/** A pupil whose notes, words and reasons the caller may read. Throws `pupil_not_found` or `pupil_not_managed`. */
export async function getPupilWithDetails(db: SchoolDb, me: StaffSession, pupilId: number): Promise<PupilRecord> {
  const [pupil] = await getPupilsWithDetails(db, me, [pupilId]);
  return pupil as PupilRecord;
}

/** Several pupils whose notes, words and reasons the caller may read, unordered. Throws as `getPupilWithDetails` does. */
export async function getPupilsWithDetails(
  db: SchoolDb,
  me: StaffSession,
  pupilIds: readonly number[],
): Promise<PupilRecord[]> {
  if (detailScope(me) === 'school') return getPupils(db, me, pupilIds);
  const pupils = await getPupilsToChange(db, me, pupilIds);
  const forbidden = pupils.find((pupil) => !canReadDetails(me, pupil));
  if (forbidden)
    throw new AppError('pupil_not_managed', {
      text: `${forbidden.name} is not in a class. Ask an administrator of your school.`,
    });
  return pupils;
}

/** Whether the caller may delete a note: admins all, teachers their own. */
export const canDeleteNote = (me: StaffSession, note: { written_by: number }): boolean =>
  canDeleteEveryNote(me) || note.written_by === me.userId;

/** Whether the caller may delete the notes of all authors. */
export const canDeleteEveryNote = (me: StaffSession): boolean => roleAllows(me.role, 'edit_school');
