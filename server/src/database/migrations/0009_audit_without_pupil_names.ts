import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/** The audit log contains IDs of pupils and no names, so that a deleted pupil leaves no trace in it. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
update audit_log set details = jsonb_set(details - 'count', '{pupils}', (
  select coalesce(jsonb_agg(case jsonb_typeof(p) when 'object' then p -> 'id' else p end), '[]')
  from jsonb_array_elements(details -> 'pupils') p))
where jsonb_typeof(details -> 'pupils') = 'array'

update audit_log set details = details - 'from' - 'to' where action = 'pupil_renamed'

update audit_log set details = details - 'name' where action in ('pupil_deleted', 'pupil_removed_from_class')

create index audit_log_by_age on audit_log (at)
`,
  );
