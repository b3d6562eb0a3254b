import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * Further teachers of classes, besides the first one (`classes.manager_id`). A class can only have further teachers if
 * it has a first one. See docs/decisions/several-teachers.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
create table class_teachers (
  school_id bigint not null,
  class_id bigint not null,
  user_id bigint not null,
  added_at timestamptz not null,
  primary key (school_id, class_id, user_id),
  foreign key (school_id, class_id) references classes (school_id, id) on delete cascade,
  foreign key (school_id, user_id) references staff (school_id, user_id) on delete cascade
)

create index class_teachers_by_user on class_teachers (school_id, user_id)
`,
  );
