import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * The role and classes of an invited person. An invite has a second link, shown to the inviter once: its hash is stored
 * separately from that of the mailed link, because it does not prove the address. See docs/decisions/invitations.md.
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
