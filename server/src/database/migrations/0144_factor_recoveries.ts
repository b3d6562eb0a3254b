import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** Requests of operators to remove the second factors of a school's only admin: at most one for each account. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table factor_recoveries (
  user_id bigint primary key references users (id) on delete cascade,
  requested_by bigint not null references users (id) on delete cascade,
  identity_check text not null check (identity_check in ('in_person', 'video_call', 'phone_call')),
  requested_at timestamptz not null,
  confirmed_by bigint references users (id) on delete cascade,
  due_at timestamptz,
  check ((confirmed_by is null) = (due_at is null)),
  check (confirmed_by <> requested_by)
)

create index factor_recoveries_by_due on factor_recoveries (due_at)

create index factor_recoveries_by_request on factor_recoveries (requested_at)

create index factor_recoveries_by_requester on factor_recoveries (requested_by)

create index factor_recoveries_by_confirmer on factor_recoveries (confirmed_by)
`,
  );
