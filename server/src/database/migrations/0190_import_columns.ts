import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';

/** What a school's imports have learned about the columns of its spreadsheets. See docs/school-records.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'import_columns',
    columns: [
      'header_key text collate "C" not null check (length(header_key) between 1 and 100)',
      "role text not null check (role in ('name', 'first_name', 'last_name', 'class', 'year_group', 'birth_date', 'upn', 'tag', 'ignored'))",
      "tag_id bigint check ((tag_id is not null) = (role = 'tag'))",
      'chosen_at timestamptz not null',
    ],
    key: ['header_key'],
    references: [{ columns: ['tag_id'], table: 'pupil_tags', onDelete: 'cascade' }],
  });
}
