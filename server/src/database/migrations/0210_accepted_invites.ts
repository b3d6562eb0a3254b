import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Replaces the address and name of accepted invitations by the account, which the audit log has. Forgets the columns of
 * spreadsheets, whose headings are stored as keyed digests from now on: a heading may have been a child's name.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
    update invites set user_id = (a.details ->> 'user_id')::bigint, email = '', email_key = '', name = ''
    from audit_log a
    where invites.status = 'accepted' and a.school_id = invites.school_id and a.action = 'invite_accepted'
      and a.subject_id = invites.id::text and a.details ->> 'user_id' is not null

    delete from import_columns
  `,
  );
