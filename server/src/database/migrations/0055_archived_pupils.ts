import type { Kysely } from 'kysely';
import { runStatements } from '../statements.ts';

/**
 * A deleted pupil is archived first. An archived pupil is in no class, so that counts and lists by class need no
 * condition. `archived_from` stores the class without referencing it, because the class may be deleted meanwhile. See
 * docs/decisions/archived-pupils.md.
 */
export const up = (db: Kysely<unknown>) =>
  runStatements(
    db,
    `
alter table pupils add column archived_at timestamptz

alter table pupils add column archived_by bigint

alter table pupils add column archived_from bigint

alter table pupils add constraint pupils_archived_without_class check (archived_at is null or class_id is null)

drop index pupils_by_name

create index pupils_by_name on pupils (school_id, name_key, id) where archived_at is null

create index pupils_archived on pupils (archived_at) where archived_at is not null
`,
  );
