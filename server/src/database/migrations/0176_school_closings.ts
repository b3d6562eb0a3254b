import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';
import { runStatements } from '../statements.ts';

/** Schools that are being closed: at most one request each, which becomes a closure and then an erasure. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'school_closings',
    columns: [
      // Null when a school that was erased is erased again after a restore.
      'requested_by bigint',
      'requested_at timestamptz not null',
      'takes_effect_at timestamptz not null',
      'confirmed_by bigint check (confirmed_by <> requested_by)',
      'closed_at timestamptz',
      'erase_at timestamptz check ((erase_at is null) = (closed_at is null))',
      // Set when the erasure begins; from then on the school cannot be reopened.
      'erased_counts jsonb check (erased_counts is null or closed_at is not null)',
      'user_ids bigint[]',
    ],
    key: [],
  });
  await runStatements(
    db,
    `
alter table erasures drop constraint erasures_kind_check

alter table erasures add constraint erasures_kind_check check (kind in ('pupil', 'staff', 'school')) not valid
`,
  );
}
