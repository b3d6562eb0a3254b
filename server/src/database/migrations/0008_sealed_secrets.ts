import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/*
 * Nothing at rest opens anything: replies kept for an Idempotency-Key are sealed with the key, which is kept hashed;
 * a reset of pupils' passwords is kept under the hash of its id, from which its link is made; a delivered mail keeps
 * no text. docs/decisions/no-live-secrets-at-rest.md
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
delete from idempotency_keys

alter table idempotency_keys drop constraint idempotency_keys_pkey

alter table idempotency_keys drop column key, drop column reply

alter table idempotency_keys add column key_hash bytea not null, add column sealed_reply bytea

alter table idempotency_keys add primary key (actor, key_hash)

alter table password_resets drop column sheet_token

alter table password_resets add column pending_secret text

update password_resets set status = case status when 'loading' then 'none' else status end,
  id = substring(encode(sha256(convert_to(id::text, 'UTF8')), 'hex') for 32)::uuid

alter table outbox add column kind text not null default 'unknown', add column link jsonb

alter table outbox alter column kind drop default

alter table outbox alter column subject drop not null, alter column html drop not null, alter column text drop not null

update outbox set subject = null, html = null, text = null, headers = null where sent_at is not null

create index outbox_by_age on outbox (created_at)
`,
  );
