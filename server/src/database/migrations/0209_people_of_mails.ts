import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * The column is not called `school_id`, because row-level security would then reject the mails of the previous release,
 * which have no school. Stores whom a mail is to or about, and which account an invitation led to: erasure deletes by these IDs.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
    alter table outbox add column from_school_id bigint, add column user_ids bigint[] not null default '{}',
      add column pupil_ids bigint[] not null default '{}'

    alter table invites add column user_id bigint
  `,
  );
