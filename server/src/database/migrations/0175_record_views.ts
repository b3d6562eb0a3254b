import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';
import { runStatements } from '../statements.ts';

/** Who looked at a pupil's record. The key makes views by the same person on the same screen within a minute one row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'record_views',
    columns: [
      'pupil_id bigint not null',
      "at timestamptz not null check (at = date_trunc('minute', at))",
      'user_id bigint not null',
      'is_support boolean not null',
      "what text not null check (what in ('page', 'notes', 'file'))",
      'screen text not null check (length(screen) between 1 and 20)',
    ],
    key: ['pupil_id', 'at', 'user_id', 'is_support', 'what', 'screen'],
    references: [{ columns: ['pupil_id'], table: 'pupils', onDelete: 'cascade' }],
  });
  await runStatements(db, 'create index record_views_by_time on record_views (at)');
}
