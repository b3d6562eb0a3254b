import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * A session and a login step know the linked account with which they began, and end with it. A support session and its
 * code know the operator's own session. A step also records that the state of a sign-in was used. The constraints of
 * `login_steps` are validated at once, because logins that have begun are few.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table sessions add column operator_session_hash bytea, add column linked_account_id bigint

alter table sessions add constraint sessions_linked_account_id_fkey
  foreign key (linked_account_id) references linked_accounts (id) on delete cascade not valid

alter table one_time_links add column operator_session_hash bytea

alter table login_steps add column linked_account_id bigint

alter table login_steps add constraint login_steps_linked_account_id_fkey
  foreign key (linked_account_id) references linked_accounts (id) on delete cascade not valid

alter table login_steps drop constraint login_steps_kind_check

-- squawk-ignore constraint-missing-not-valid
alter table login_steps add constraint login_steps_kind_check
  check (kind in ('second_factor', 'enrolment', 'passkey_login', 'passkey_registration', 'used_sign_in'))

alter table login_steps drop constraint login_steps_check

-- squawk-ignore constraint-missing-not-valid
alter table login_steps add constraint login_steps_check
  check ((kind in ('passkey_login', 'used_sign_in')) = (user_id is null))
`,
  );
