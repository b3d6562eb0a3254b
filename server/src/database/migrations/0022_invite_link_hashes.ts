import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/*
 * Of an invite's link only a hash is stored, and the invite's own id opens nothing. Invites that are there get new
 * ids, so that the ones in mails that were sent are links alone; the audit log speaks of the new ones.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table invite_links rename column id to invite_id

alter table invite_links add column token_hash bytea unique, add column issue integer not null default 1

update invite_links set token_hash = sha256(convert_to(invite_id::text, 'UTF8'))

update invite_links set invite_id = substring(encode(sha256(convert_to(invite_id::text, 'UTF8')), 'hex') for 32)::uuid

update invites set id = substring(encode(sha256(convert_to(id::text, 'UTF8')), 'hex') for 32)::uuid

update audit_log set details = details - 'was',
  subject_id = (substring(encode(sha256(convert_to(subject_id, 'UTF8')), 'hex') for 32)::uuid)::text
where subject_kind = 'invite'
`,
  );
