import { toRecordedYearGroup } from '#contract/year-group.ts';
import type { ClassValues, PupilValues } from '../../../database/column-types.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** Pupils and classes by their IDs, as they are at one moment. */
export interface Snapshot {
  pupils: ReadonlyMap<number, PupilValues>;
  classes: ReadonlyMap<number, ClassValues>;
}

type Lock = 'update' | 'none';

/** Pupils without their links to school records; all of the school without `ids`. Locks them for `update`. */
export async function readPupils(db: SchoolDb, lock: Lock, ids?: readonly number[]) {
  const rows = await db.tx
    .selectFrom('pupils')
    .select([
      'id',
      'name',
      'class_id',
      'archived_at',
      'archived_from',
      'last_read_at',
      'year_group',
      'year_group_since',
    ])
    .where('school_id', '=', db.schoolId)
    .$if(ids !== undefined, (query) => query.where(inIds('id', ids ?? [])))
    .orderBy('id')
    .$if(lock === 'update', (query) => query.forUpdate())
    .execute();
  return rows.map(({ id, name, class_id, archived_at, archived_from, last_read_at, ...row }) => ({
    id,
    name,
    classId: class_id,
    isArchived: archived_at !== null,
    archivedFrom: archived_from,
    lastReadAt: last_read_at,
    yearGroup: toRecordedYearGroup(row),
  }));
}

/** Classes with their teachers, the first one first; all of the school without `ids`. Locks them for `update`. */
export async function readClasses(
  db: SchoolDb,
  lock: Lock,
  ids?: readonly number[],
): Promise<{ id: number; name: string; teachers: number[] }[]> {
  const classes = await db.tx
    .selectFrom('classes')
    .select(['id', 'name', 'manager_id'])
    .where('school_id', '=', db.schoolId)
    .$if(ids !== undefined, (query) => query.where(inIds('id', ids ?? [])))
    .orderBy('id')
    .$if(lock === 'update', (query) => query.forUpdate())
    .execute();
  const further = await db.tx
    .selectFrom('class_teachers')
    .select(['class_id', 'user_id'])
    .where('school_id', '=', db.schoolId)
    .where(
      inIds(
        'class_id',
        classes.map(({ id }) => id),
      ),
    )
    .orderBy('added_at')
    .orderBy('user_id')
    .execute();
  const byClass = Map.groupBy(further, ({ class_id }) => class_id);
  return classes.map(({ id, name, manager_id: first }) => ({
    id,
    name,
    teachers: [...(first === null ? [] : [first]), ...(byClass.get(id) ?? []).map(({ user_id }) => user_id)],
  }));
}

/** Locks and returns pupils and classes, to compare them with what a run makes of them. */
export async function takeSnapshot(
  db: SchoolDb,
  ids: { pupils: readonly number[]; classes: readonly number[] },
): Promise<Snapshot> {
  const classes = await readClasses(db, 'update', ids.classes);
  const pupils = await readPupils(db, 'update', ids.pupils);
  return {
    pupils: new Map(
      pupils.map(({ id, name, classId, isArchived, yearGroup }) => [
        id,
        { name, classId, isArchived, yearGroup, link: null },
      ]),
    ),
    classes: new Map(classes.map(({ id, name, teachers }) => [id, { name, teachers }])),
  };
}
