import type { Kysely } from 'kysely';
import { createIndexConcurrently } from '../statements.ts';

export const runsInTransaction = false;

const NAMES = `(jsonb_exists_any(details, array['email', 'teacher', 'headers'])
  or jsonb_exists(details, 'reason') and action like 'impersonation%') and not jsonb_exists(details, 'about')`;

/** Finds mails by school, person and recipient, and entries of the audit log with free text or with names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexConcurrently(db, 'outbox_by_school', 'outbox (from_school_id) where from_school_id is not null');
  await createIndexConcurrently(db, 'outbox_by_user', 'outbox using gin (user_ids)');
  await createIndexConcurrently(db, 'outbox_by_recipient', 'outbox (lower(recipient))');
  await createIndexConcurrently(
    db,
    'audit_log_about',
    `audit_log (school_id, id) where jsonb_exists(details, 'about')`,
  );
  await createIndexConcurrently(db, 'audit_log_with_names', `audit_log (school_id, id) where ${NAMES}`);
}
