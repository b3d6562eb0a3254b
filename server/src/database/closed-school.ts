import { AppError } from '../errors.ts';
import type { SchoolDb } from './school.ts';

/** Returns whether the school is closed: its staff can only read until it is reopened or erased. */
export async function isSchoolClosed(db: SchoolDb): Promise<boolean> {
  const row = await db.tx
    .selectFrom('school_closings')
    .select('closed_at')
    .where('school_id', '=', db.schoolId)
    .where('closed_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Throws `school_closed`, for changes by people who have no session of the school's staff. */
export async function assertSchoolNotClosed(db: SchoolDb): Promise<void> {
  if (await isSchoolClosed(db)) throw new AppError('school_closed');
}
