import type { DeletedClass } from '#contract/calls/deleted-classes.ts';
import { sql } from 'kysely';
import { staffRows } from '../../accounts/access/access.public.ts';
import { DAY_MS } from '../../../clock.ts';
import type { DeletedClassRecord } from '../../../database/column-types.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember } from '../../../context.ts';
import { restoreTeacherRules } from './class-teachers.queries.ts';
import { classKey } from './classes.queries.ts';

/** A deleted class can be restored for 30 days, as `TABLES.deleted_classes` declares. */
const RESTORE_MS = 30 * DAY_MS;
/** The deleted classes that are listed, the latest first. */
const MAX_LISTED = 500;
/** The length of a class's name: `className`. */
const MAX_NAME_LENGTH = 100;

/**
 * Deletes a class, which leaves its pupils without one. What is needed to restore it is moved to tables of their own, so
 * that no query on classes can find it. The caller has locked the class. Returns the number of pupils.
 */
export async function deleteClass(db: SchoolDb, classId: number, by: number, now: Date): Promise<number> {
  const ofClass = sql`school_id = ${db.schoolId} and class_id = ${classId}`;
  // Locked in the order of IDs, like every lock on several pupils.
  await sql`select id from pupils where ${ofClass} order by id for update`.execute(db.tx);
  await sql`
    insert into deleted_classes (school_id, id, name, created_at, deleted_at, deleted_by, record)
    select ${db.schoolId}::bigint, id, name, created_at, ${now}::timestamptz, ${by}::bigint, jsonb_build_object(
      'books', coalesce((select jsonb_agg(jsonb_build_object(
        'book_id', book_id, 'assigned_by', assigned_by, 'assigned_at', assigned_at) order by book_id)
        from class_books where ${ofClass}), '[]'),
      'links', coalesce((select jsonb_agg(jsonb_build_object(
        'source_id', source_id, 'external_id', external_id, 'name', name) order by source_id, external_id)
        from school_records_classes where ${ofClass}), '[]'))
    from classes where school_id = ${db.schoolId} and id = ${classId}
    returning id`.execute(db.tx);
  await sql`
    insert into deleted_class_teachers (school_id, class_id, user_id, added_at)
    select ${db.schoolId}::bigint, class_id, user_id, added_at from class_teachers where ${ofClass}
    returning user_id`.execute(db.tx);
  await sql`
    insert into deleted_class_teachers (school_id, class_id, user_id, added_at)
    select ${db.schoolId}::bigint, id, manager_id, null from classes
    where school_id = ${db.schoolId} and id = ${classId} and manager_id is not null
    returning user_id`.execute(db.tx);
  await sql`
    insert into deleted_class_pupils (school_id, class_id, pupil_id)
    select ${db.schoolId}::bigint, class_id, id from pupils where ${ofClass}
    returning pupil_id`.execute(db.tx);
  const { numUpdatedRows } = await db.tx
    .updateTable('pupils')
    .set({ class_id: null })
    .where('school_id', '=', db.schoolId)
    .where('class_id', '=', classId)
    .executeTakeFirst();
  await db.tx.deleteFrom('classes').where('school_id', '=', db.schoolId).where('id', '=', classId).execute();
  return Number(numUpdatedRows);
}

/** The deleted classes that the user can restore: admins all, teachers those that they deleted. */
const restorableClasses = (db: SchoolDb, me: StaffMember, now: Date) => {
  const rows = db.tx
    .selectFrom('deleted_classes as d')
    .where('d.school_id', '=', db.schoolId)
    .where('d.deleted_at', '>', new Date(now.getTime() - RESTORE_MS));
  return me.role === 'admin' ? rows : rows.where('d.deleted_by', '=', me.userId);
};

/** A deleted class with the ID of the user who deleted it. */
type DeletedRow = Omit<DeletedClass, 'deleted_by'> & { deleted_by: number };

/** The deleted classes that the user can restore, the most recently deleted first. */
export async function listDeletedClasses(db: SchoolDb, me: StaffMember, now: Date): Promise<DeletedRow[]> {
  const rows = await restorableClasses(db, me, now)
    .select(['d.id', 'd.name', 'd.deleted_at', 'd.deleted_by'])
    .select(
      sql<number>`(select count(*) from deleted_class_pupils p where p.school_id = ${db.schoolId} and p.class_id = d.id)`.as(
        'readers_count',
      ),
    )
    .orderBy('d.deleted_at', 'desc')
    .orderBy('d.id', 'desc')
    .limit(MAX_LISTED)
    .execute();
  return rows.map(({ deleted_at: at, ...row }) => ({
    ...row,
    deleted_at: at.toISOString(),
    erased_at: new Date(at.getTime() + RESTORE_MS).toISOString(),
  }));
}

/** Locks a deleted class that the user can restore. */
export const lockDeletedClass = (db: SchoolDb, me: StaffMember, classId: number, now: Date) =>
  restorableClasses(db, me, now).selectAll().where('d.id', '=', classId).forUpdate().executeTakeFirst();

/**
 * Creates the class again under its old ID, without teachers, pupils and books. If another class has its name by now,
 * it gets the first free number: "Maple (2)". Returns the name.
 */
export async function recreateClass(
  db: SchoolDb,
  { id, name, created_at }: { id: number; name: string; created_at: Date },
): Promise<string> {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : numberName(name, number);
    const row = await db.tx
      .insertInto('classes')
      .values({ school_id: db.schoolId, id, name: candidate, name_key: classKey(candidate), created_at })
      .onConflict((conflict) => conflict.columns(['school_id', 'name_key']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (row) return candidate;
  }
}

function numberName(name: string, number: number): string {
  const suffix = ` (${number})`;
  return `${name.slice(0, MAX_NAME_LENGTH - suffix.length).trimEnd()}${suffix}`;
}

/** Returns the teachers who are still on the staff to their class. Returns the number of those who have left. */
export async function returnTeachers(db: SchoolDb, classId: number): Promise<number> {
  const teachers = await db.tx
    .selectFrom('deleted_class_teachers')
    .select(['user_id', 'added_at'])
    .where('school_id', '=', db.schoolId)
    .where('class_id', '=', classId)
    .orderBy('user_id')
    .execute();
  // Locked, so that none of them leaves the school meanwhile.
  const staff = await staffRows(db)
    .where(
      inIds(
        'user_id',
        teachers.map(({ user_id }) => user_id),
      ),
    )
    .orderBy('user_id')
    .forShare()
    .execute();
  const present = new Set(staff.map(({ user_id }) => user_id));
  const returning = teachers.filter(({ user_id }) => present.has(user_id));
  for (const { user_id, added_at } of returning)
    if (added_at)
      await db.tx
        .insertInto('class_teachers')
        .values({ school_id: db.schoolId, class_id: classId, user_id, added_at })
        .execute();
    else
      await db.tx
        .updateTable('classes')
        .set({ manager_id: user_id })
        .where('school_id', '=', db.schoolId)
        .where('id', '=', classId)
        .execute();
  await restoreTeacherRules(db, [classId]);
  return teachers.length - returning.length;
}

/**
 * Returns the pupils to their class who have had no other since. Those in the archive return to it when they are
 * restored. Returns how many returned, and how many could not.
 */
export async function returnPupils(
  db: SchoolDb,
  classId: number,
): Promise<{ returned: number; archived: number; moved: number }> {
  // Locked in the order of IDs, like every lock on several pupils.
  const { rows: pupils } = await sql<{ id: number; is_archived: boolean; has_moved: boolean }>`
    select p.id, p.archived_at is not null as is_archived,
      p.class_id is not null or p.archived_from is not null or exists (
        select from deleted_class_pupils o
        join deleted_classes later on later.school_id = ${db.schoolId} and later.id = o.class_id
        where o.school_id = ${db.schoolId} and o.pupil_id = p.id and later.deleted_at > d.deleted_at) as has_moved
    from deleted_class_pupils m
    join deleted_classes d on d.school_id = ${db.schoolId} and d.id = m.class_id
    join pupils p on p.school_id = ${db.schoolId} and p.id = m.pupil_id
    where m.school_id = ${db.schoolId} and m.class_id = ${classId}
    order by p.id for update of p`.execute(db.tx);
  const staying = pupils.filter(({ has_moved }) => !has_moved);
  const listIds = (isArchived: boolean) =>
    staying.filter(({ is_archived }) => is_archived === isArchived).map(({ id }) => id);
  for (const [column, ids] of [
    ['class_id', listIds(false)],
    ['archived_from', listIds(true)],
  ] as const)
    if (ids.length > 0)
      await db.tx
        .updateTable('pupils')
        .set({ [column]: classId })
        .where('school_id', '=', db.schoolId)
        .where(inIds('id', ids))
        .execute();
  const archived = pupils.filter(({ is_archived }) => is_archived).length;
  const returned = listIds(false).length;
  return { returned, archived, moved: pupils.length - archived - returned };
}

/** Assigns the books again that are still in the catalogue. Returns the number of those that are not. */
export async function returnBooks(db: SchoolDb, classId: number, books: DeletedClassRecord['books']): Promise<number> {
  const { rows } = await sql`
    insert into class_books (school_id, class_id, book_id, assigned_by, assigned_at)
    select ${db.schoolId}::bigint, ${classId}::bigint, b.id, g.assigned_by, g.assigned_at
    from jsonb_to_recordset(${JSON.stringify(books)}::jsonb) as g (book_id bigint, assigned_by bigint, assigned_at timestamptz)
    join books b on b.id = g.book_id and b.withdrawn_at is null
    returning book_id`.execute(db.tx);
  return books.length - rows.length;
}

/** Links the class to the school's records again, unless the source was removed or has another class for it by now. */
export async function returnLinks(db: SchoolDb, classId: number, links: DeletedClassRecord['links']): Promise<void> {
  if (links.length === 0) return;
  await sql`
    insert into school_records_classes (school_id, source_id, external_id, class_id, name)
    select ${db.schoolId}::bigint, s.id, g.external_id, ${classId}::bigint, g.name
    from jsonb_to_recordset(${JSON.stringify(links)}::jsonb) as g (source_id bigint, external_id text, name text)
    join school_records_sources s on s.school_id = ${db.schoolId} and s.id = g.source_id
    on conflict do nothing
    returning class_id`.execute(db.tx);
}

/** Deletes the record of a deleted class, which has been restored. */
export const removeDeletedClass = (db: SchoolDb, classId: number) =>
  db.tx.deleteFrom('deleted_classes').where('school_id', '=', db.schoolId).where('id', '=', classId).execute();

/** Pupils restored from the archive return to a deleted class together with it. */
export async function addToDeletedClasses(
  db: SchoolDb,
  pupils: readonly { id: number; archived_from: number | null }[],
): Promise<void> {
  const rows = JSON.stringify(pupils.filter(({ archived_from }) => archived_from !== null));
  await sql`
    insert into deleted_class_pupils (school_id, class_id, pupil_id)
    select ${db.schoolId}::bigint, d.id, g.id
    from jsonb_to_recordset(${rows}::jsonb) as g (id bigint, archived_from bigint)
    join deleted_classes d on d.school_id = ${db.schoolId} and d.id = g.archived_from
    on conflict do nothing
    returning pupil_id`.execute(db.tx);
}
