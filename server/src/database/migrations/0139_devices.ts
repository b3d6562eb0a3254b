import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Which device a session began on, the devices that a user has logged in from, and links that end one session. The
 * constraints are validated at once, because links are few: each is deleted after a week.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table sessions add column browser text, add column system text, add column device_hash bytea

create table devices (
  user_id bigint not null references users (id) on delete cascade,
  token_hash bytea not null,
  last_used_at timestamptz not null,
  primary key (user_id, token_hash)
)

create index devices_by_last_use on devices (last_used_at)

alter table one_time_links add column session_id text

alter table one_time_links drop constraint one_time_links_kind_check

-- squawk-ignore constraint-missing-not-valid
alter table one_time_links add constraint one_time_links_kind_check
  check (kind in ('password_reset', 'set_up', 'impersonation', 'email_confirmation', 'end_session'))

-- squawk-ignore constraint-missing-not-valid
alter table one_time_links add constraint one_time_links_session_check
  check ((kind = 'end_session') = (session_id is not null))
`,
  );
