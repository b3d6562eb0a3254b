import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

const TABLES = ['sources', 'pupils', 'classes', 'runs', 'rows', 'connections'];

const CONSTRAINTS = [
  ['sources', 'pkey', 'kind_check', 'school_id_fkey', 'school_id_kind_key'],
  [
    'pupils',
    'pkey',
    'external_id_check',
    'school_id_fkey',
    'school_id_pupil_id_fkey',
    'school_id_pupil_id_key',
    'school_id_source_id_fkey',
  ],
  [
    'classes',
    'pkey',
    'external_id_check',
    'school_id_fkey',
    'school_id_class_id_fkey',
    'school_id_class_id_key',
    'school_id_source_id_fkey',
  ],
  ['runs', 'pkey', 'kind_check', 'school_id_fkey'],
  ['rows', 'pkey', 'school_id_fkey', 'school_id_run_id_fkey'],
  ['connections', 'pkey', 'client_id_check', 'school_id_fkey', 'token_url_check', 'url_check'],
] as const;

/** The words of docs/words.md for school records and the year end. */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
${TABLES.map((name) => `alter table roster_${name} rename to school_records_${name}`).join('\n\n')}

${CONSTRAINTS.flatMap(([table, ...names]) =>
  names.map(
    (name) =>
      `alter table school_records_${table} rename constraint roster_${table}_${name} to school_records_${table}_${name}`,
  ),
).join('\n\n')}

alter index roster_runs_by_time rename to school_records_runs_by_time

alter index roster_rows_by_time rename to school_records_rows_by_time

alter index roster_rows_by_pupil rename to school_records_rows_by_pupil

drop index roster_runs_one_proposed

alter table school_records_runs drop constraint roster_runs_state_check

alter table school_records_runs rename column roster to records

alter table school_records_runs rename column decided_at to closed_at

alter table school_records_runs rename column decided_by to closed_by

update school_records_runs set state = case state when 'proposed' then 'planned' else 'discarded' end
where state in ('proposed', 'rejected')

alter table school_records_runs add constraint school_records_runs_state_check
check (state in ('planned', 'applied', 'discarded', 'undone'))

create unique index school_records_runs_one_planned on school_records_runs (school_id, source_id) where state = 'planned'

alter table year_ends rename column carried_out_at to applied_at

alter table year_ends rename column carried_out_by to applied_by
`,
  );
