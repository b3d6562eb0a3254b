import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';
import type { StaffSession } from '../../../context.ts';
import { isEveryVisiblePupil } from './pupil-rights.access.ts';
import { findPupils, type PupilRecord } from './pupils.queries.ts';

/** A pupil that the caller may see. Throws `pupil_not_found`. */
export async function getPupil(db: SchoolDb, me: StaffSession, pupilId: number): Promise<PupilRecord> {
  const [pupil] = await findPupils(db, me, [pupilId]);
  if (!pupil) throw new AppError('pupil_not_found');
  return pupil;
}

/** A pupil that the caller may change. Throws `pupil_not_found`, or `pupil_not_managed` for another teacher's pupil. */
export async function getPupilToChange(db: SchoolDb, me: StaffSession, pupilId: number): Promise<PupilRecord> {
  const [pupil] = await getPupilsToChange(db, me, [pupilId]);
  return pupil as PupilRecord;
}

/** Several pupils that the caller may see, unordered. Throws `pupil_not_found` with those who do not exist. */
export async function getPupils(db: SchoolDb, me: StaffSession, pupilIds: readonly number[]): Promise<PupilRecord[]> {
  const pupils = await findPupils(db, me, pupilIds);
  const found = new Set(pupils.map(({ id }) => id));
  const missingPupils = [...new Set(pupilIds)].filter((id) => !found.has(id));
  if (missingPupils.length === 0) return pupils;
  const text = 'Some of these pupils were not found in your school. Load the list again.';
  throw new AppError('pupil_not_found', { missingPupils, ...(pupilIds.length > 1 && { text }) });
}

/** Several pupils that the caller may change, unordered. Throws as `getPupilToChange` does, naming the pupils. */
export async function getPupilsToChange(
  db: SchoolDb,
  me: StaffSession,
  pupilIds: readonly number[],
): Promise<PupilRecord[]> {
  const pupils = await getPupils(db, me, pupilIds);
  assertManaged(pupils.filter(({ can_update }) => !can_update));
  return pupils;
}

/**
 * Several pupils whose names, year groups and classes the caller may change, also because they cover the pupil's class;
 * unordered. Throws as `getPupilsToChange` does.
 */
export async function getPupilsToEdit(
  db: SchoolDb,
  me: StaffSession,
  pupilIds: readonly number[],
): Promise<PupilRecord[]> {
  const pupils = await getPupils(db, me, pupilIds);
  const covers = new Set(me.covers);
  assertManaged(pupils.filter(({ can_update, group: own }) => !can_update && !(own && covers.has(own.id))));
  return pupils;
}

/** Throws `pupil_not_managed` with the names of these pupils, if there are any. */
function assertManaged(forbidden: readonly PupilRecord[]): void {
  const forbiddenNames = forbidden.map(({ name }) => name);
  if (forbiddenNames.length === 0) return;
  const names =
    forbiddenNames.length > 3
      ? `${forbiddenNames.slice(0, 3).join(', ')} and ${forbiddenNames.length - 3} more are`
      : `${forbiddenNames.join(', ')} ${forbiddenNames.length > 1 ? 'are' : 'is'}`;
  throw new AppError('pupil_not_managed', {
    text: `${names} in a class that you do not manage. Ask an administrator of your school.`,
  });
}

/** Several pupils whose logins the caller may renew, unordered. Throws as `getPupilsToChange` does. */
export const getPupilsForLogins = (
  db: SchoolDb,
  me: StaffSession,
  pupilIds: readonly number[],
): Promise<PupilRecord[]> =>
  isEveryVisiblePupil(me, 'logins') ? getPupils(db, me, pupilIds) : getPupilsToEdit(db, me, pupilIds);

/** Several pupils to whom the caller may assign books, unordered. Throws as `getPupilsToChange` does. */
export const getPupilsForBooks = (
  db: SchoolDb,
  me: StaffSession,
  pupilIds: readonly number[],
): Promise<PupilRecord[]> =>
  isEveryVisiblePupil(me, 'books') ? getPupils(db, me, pupilIds) : getPupilsToChange(db, me, pupilIds);
