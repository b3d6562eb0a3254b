import { type Kysely, sql } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

/** Lets two people, such as separated parents, have requests about one person at the same time, and one person requests of several kinds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['pupil_id', 'user_id']) {
    const target = `subject_requests (school_id, ${column}, kind, lower(requester_name)) where closed_at is null`;
    const subject = column.replace('_id', '');
    await createIndexConcurrently(db, `subject_requests_open_by_${subject}`, target, { isUnique: true });
    await sql.raw(`drop index concurrently if exists subject_requests_open_${subject}`).execute(db);
  }
}
