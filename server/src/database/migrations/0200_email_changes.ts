import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Changes of email address, at most one for each account, with the link that goes to the old address. A change that was
 * waiting is not taken over: no one has announced it. `users.pending_email` remains for the previous release.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table email_changes (
  user_id bigint primary key references users (id) on delete cascade,
  email text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  agreed_at timestamptz,
  confirmed_at timestamptz
)

create index email_changes_by_end on email_changes (expires_at)

create index email_changes_by_confirmation on email_changes (confirmed_at)

update users set pending_email = null where pending_email is not null

alter table one_time_links drop constraint one_time_links_kind_check

-- squawk-ignore constraint-missing-not-valid
alter table one_time_links add constraint one_time_links_kind_check
  check (kind in ('password_reset', 'set_up', 'impersonation', 'email_confirmation', 'email_change', 'end_session'))
`,
  );
