import type { Reader } from '#contract/calls/pupils.ts';
import type { SchoolDb } from '../../database/school.ts';
import { AppError } from '../../http/errors.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { findPupil } from './pupils.queries.ts';

/** A pupil whom the person may see: every one of the own school. Throws `pupil_not_found`. */
export async function getPupil(db: SchoolDb, me: StaffSession, pupilId: number): Promise<Reader> {
  const pupil = await findPupil(db, me, pupilId);
  if (!pupil) throw new AppError('pupil_not_found');
  return pupil;
}

/** A pupil whom the person may change. Throws `pupil_not_found`, or `forbidden` for a pupil of another's class. */
export async function getOwnPupil(db: SchoolDb, me: StaffSession, pupilId: number): Promise<Reader> {
  const pupil = await getPupil(db, me, pupilId);
  if (!pupil.can_update)
    throw new AppError('forbidden', { text: `${pupil.name} is in a class that you do not manage. Ask an administrator of your school.` });
  return pupil;
}
