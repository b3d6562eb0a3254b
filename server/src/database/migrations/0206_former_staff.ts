import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Members of staff who leave keep their row, with `until` and without a role. Those who left before are found in the
 * audit log, once; their account's creation takes the place of the unknown day of joining.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await runStatements(
    db,
    `
-- The release before omits a row without a role.
-- squawk-ignore ban-drop-not-null
alter table staff add column until timestamptz, alter column role drop not null

alter table staff add constraint staff_until_check check ((role is null) = (until is not null)) not valid

insert into staff (school_id, user_id, joined_at, until)
  select l.school_id, l.subject_id::bigint, least(min(u.created_at), max(l.at)), max(l.at)
  from audit_log l join users u on u.id::text = l.subject_id
  where l.action = 'teacher_removed' and l.subject_kind = 'user' and u.school_id is null
  group by l.school_id, l.subject_id
  on conflict do nothing
`,
  );
}
