import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

/** Validates the check of `0206_former_staff`, and builds the indexes that find former members by time and by account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table staff validate constraint staff_until_check').execute(db);
  await createIndexConcurrently(db, 'staff_until', 'staff (until) where until is not null');
  await createIndexConcurrently(db, 'staff_former', 'staff (user_id) where until is not null');
}
