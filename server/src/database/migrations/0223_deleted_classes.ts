import type { Kysely } from 'kysely';
import { createSchoolTable } from '../school-table.ts';
import { runStatements } from '../statements.ts';

/** Deleted classes with their pupils and teachers, to restore them. See docs/decisions/deleted-classes.md. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createSchoolTable(db, {
    name: 'deleted_classes',
    columns: [
      'id bigint not null',
      'name text not null',
      'created_at timestamptz not null',
      'deleted_at timestamptz not null',
      'deleted_by bigint not null',
      'record jsonb not null',
    ],
    key: ['id'],
  });
  await createSchoolTable(db, {
    name: 'deleted_class_pupils',
    columns: ['class_id bigint not null', 'pupil_id bigint not null'],
    key: ['class_id', 'pupil_id'],
    references: [
      { columns: ['class_id'], table: 'deleted_classes', onDelete: 'cascade' },
      { columns: ['pupil_id'], table: 'pupils', onDelete: 'cascade' },
    ],
  });
  await createSchoolTable(db, {
    name: 'deleted_class_teachers',
    columns: ['class_id bigint not null', 'user_id bigint not null', 'added_at timestamptz'],
    key: ['class_id', 'user_id'],
    references: [
      { columns: ['class_id'], table: 'deleted_classes', onDelete: 'cascade' },
      { columns: ['user_id'], table: 'staff', to: ['user_id'], onDelete: 'cascade' },
    ],
  });
  await runStatements(
    db,
    `
create index deleted_classes_by_age on deleted_classes (deleted_at)

create index deleted_class_pupils_by_pupil on deleted_class_pupils (school_id, pupil_id)

create index deleted_class_teachers_by_user on deleted_class_teachers (school_id, user_id)
`,
  );
}
