import type { Pupil } from '#contract/calls/pupils.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffMember, StaffSession } from '../../http/pipeline.ts';
import { findPupil, findPupils } from './pupils.queries.ts';

/** A pupil whom the person may see: every one of the own school. Throws `pupil_not_found`. */
export async function getPupil(db: SchoolDb, me: StaffSession, pupilId: number): Promise<Pupil> {
  const pupil = await findPupil(db, me, pupilId);
  if (!pupil) throw new AppError('pupil_not_found');
  return pupil;
}

/** A pupil whom the person may change. Throws `pupil_not_found`, or `pupil_not_managed` for a pupil of another's class. */
export async function getOwnPupil(db: SchoolDb, me: StaffSession, pupilId: number): Promise<Pupil> {
  const pupil = await getPupil(db, me, pupilId);
  if (!pupil.can_update)
    throw new AppError('pupil_not_managed', {
      text: `${pupil.name} is in a class that you do not manage. Ask an administrator of your school.`,
    });
  return pupil;
}

/**
 * Whether the person may read notes on a pupil, the pupil's hard words and the reasons why the pupil needs help: admins
 * and the teachers of the pupil's current class (docs/permissions.md).
 */
export const canReadDetails = (me: StaffMember, pupil: Pick<Pupil, 'can_update' | 'group'>): boolean =>
  me.role === 'admin' || (pupil.can_update && pupil.group !== null);

/** A pupil whose notes, words and reasons the person may read. Throws `pupil_not_found` or `pupil_not_managed`. */
export async function getPupilWithDetails(db: SchoolDb, me: StaffSession, pupilId: number): Promise<Pupil> {
  const pupil = await getOwnPupil(db, me, pupilId);
  if (!canReadDetails(me, pupil))
    throw new AppError('pupil_not_managed', {
      text: `${pupil.name} is not in a class. Ask an administrator of your school.`,
    });
  return pupil;
}

/** Several pupils whom the person may see, in no order. Throws `pupil_not_found` unless all are there. */
export async function getPupils(db: SchoolDb, me: StaffSession, pupilIds: readonly number[]): Promise<Pupil[]> {
  const pupils = await findPupils(db, me, pupilIds);
  if (pupils.length < new Set(pupilIds).size) {
    const text =
      pupilIds.length > 1 ? 'Some of these pupils were not found in your school. Load the list again.' : undefined;
    throw new AppError('pupil_not_found', text ? { text } : {});
  }
  return pupils;
}

/** Several pupils whom the person may change, in no order. Throws as `getOwnPupil` does, naming who is meant. */
export async function getOwnPupils(db: SchoolDb, me: StaffSession, pupilIds: readonly number[]): Promise<Pupil[]> {
  const pupils = await getPupils(db, me, pupilIds);
  const foreign = pupils.filter(({ can_update }) => !can_update).map(({ name }) => name);
  if (foreign.length === 0) return pupils;
  const names =
    foreign.length > 3
      ? `${foreign.slice(0, 3).join(', ')} and ${foreign.length - 3} more are`
      : `${foreign.join(', ')} ${foreign.length > 1 ? 'are' : 'is'}`;
  throw new AppError('pupil_not_managed', {
    text: `${names} in a class that you do not manage. Ask an administrator of your school.`,
  });
}
