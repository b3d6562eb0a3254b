import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * One-time links and codes, and operators. Both are platform tables, because they are used before a school is known.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table one_time_links (
  token_hash bytea primary key,
  kind text not null check (kind in ('password_reset', 'set_up', 'impersonation')),
  user_id bigint not null references users (id) on delete cascade,
  school_id bigint,
  operator_id bigint references users (id) on delete cascade,
  reason text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((kind = 'impersonation') = (operator_id is not null and reason is not null))
)

create index one_time_links_by_user on one_time_links (user_id)

create index one_time_links_by_end on one_time_links (expires_at)

create table operators (
  user_id bigint primary key references users (id) on delete cascade,
  added_at timestamptz not null
)

create index sessions_by_impersonator on sessions (impersonator_id) where impersonator_id is not null
`,
  );
