import type { SubscriptionState } from '#contract/school-access.ts';
import { CompiledQuery } from 'kysely';
import { accessOf, type SchoolState, STATE_COLUMNS, STATE_JOINS } from '../../../auth/school-state.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { AppError } from '../../../errors.ts';

const FIND_STATE = `select ${STATE_COLUMNS} from schools c ${STATE_JOINS} where c.id = $1`;

/** Reads the access of a school that exists. */
export async function getSchoolAccess(db: SchoolDb, now: Date): Promise<SubscriptionState | 'closed'> {
  const { rows } = await db.tx.executeQuery<SchoolState>(CompiledQuery.raw(FIND_STATE, [db.schoolId]));
  return accessOf(rows[0] as SchoolState, now);
}

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
