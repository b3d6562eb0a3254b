import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * What an invited person will be, and the classes they will have. An invite has a second link, told to the inviter once:
 * its hash stands beside that of the mailed one, for it does not prove the address. See docs/decisions/0058-invites.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table invites add column role text not null default 'teacher' check (role in ('admin', 'teacher'))

alter table invites add column class_ids bigint[] not null default '{}'

alter table invite_links add column copied_hash bytea unique
`,
  );
