import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/*
 * When the user confirmed their address; earlier accounts count as confirmed. `hidden_email_key` is the address of an
 * account that was registered with another account's address, which `HIDE_ACCOUNTS` does not reveal:
 * docs/decisions/confirmed-addresses.md
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table users add column email_confirmed_at timestamptz, add column pending_email text,
  add column hidden_email_key text

update users set email_confirmed_at = created_at

create index users_by_hidden_email on users (hidden_email_key) where hidden_email_key is not null

alter table one_time_links add column email text

alter table one_time_links drop constraint one_time_links_kind_check

alter table one_time_links add constraint one_time_links_kind_check
  check (kind in ('password_reset', 'set_up', 'impersonation', 'email_confirmation'))

alter table one_time_links add constraint one_time_links_email_check check ((kind = 'email_confirmation') = (email is not null))

alter table outbox add column held_for bigint references users (id) on delete cascade

create index outbox_held on outbox (held_for) where held_for is not null
`,
  );
