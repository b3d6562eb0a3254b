import type { Kysely } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

/** The audit log can be filtered by person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(db, 'audit_log_by_actor', 'audit_log (school_id, actor_user_id, at desc)');
}
