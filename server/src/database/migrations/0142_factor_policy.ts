import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * From which day a school's admins and teachers need a second factor. Schools that exist already start without a day:
 * for them it stays optional until an admin decides. The constraint is validated at once, because logins that have begun
 * are few.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table schools add column admins_factor_from date, add column teachers_factor_from date

alter table sessions add column has_provider_factor boolean not null default false

alter table login_steps drop constraint login_steps_kind_check

-- squawk-ignore constraint-missing-not-valid
alter table login_steps add constraint login_steps_kind_check
  check (kind in ('second_factor', 'enrolment', 'passkey_login', 'passkey_registration'))
`,
  );
