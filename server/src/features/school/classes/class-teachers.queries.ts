import { MAX_TEACHERS } from '#contract/calls/classes.ts';
import { hasClasses, isTeachingRole, type Role, ROLES } from '#contract/permissions.ts';
import { type RawBuilder, sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { ownClassIds } from './class-rights.access.ts';

/** Replaces the first teachers of classes; null removes the first teacher. */
export async function updateFirstTeachers(
  db: SchoolDb,
  changes: readonly { id: number; manager_id: number | null }[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    update classes set manager_id = g.manager_id
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as g (id bigint, manager_id bigint)
    where classes.school_id = ${db.schoolId} and classes.id = g.id`.execute(db.tx);
  await restoreTeacherRules(
    db,
    changes.map(({ id }) => id),
  );
}

/** Adds teachers to classes as further teachers, each once; a class without teachers gets its first one. */
export async function addClassTeachers(
  db: SchoolDb,
  teachers: readonly { classId: number; userId: number }[],
  now: Date,
): Promise<void> {
  if (teachers.length === 0) return;
  const rows = JSON.stringify(teachers.map(({ classId, userId }) => ({ class_id: classId, user_id: userId })));
  await sql`
    insert into class_teachers (school_id, class_id, user_id, added_at)
    select ${db.schoolId}::bigint, class_id, user_id, ${now}::timestamptz
    from jsonb_to_recordset(${rows}::jsonb) as g (class_id bigint, user_id bigint)
    on conflict do nothing returning user_id`.execute(db.tx);
  await restoreTeacherRules(
    db,
    teachers.map(({ classId }) => classId),
  );
}

/** Removes a teacher from a class. The next teacher becomes the first. */
export async function removeClassTeacher(db: SchoolDb, classId: number, userId: number): Promise<void> {
  await db.tx
    .deleteFrom('class_teachers')
    .where('school_id', '=', db.schoolId)
    .where('class_id', '=', classId)
    .where('user_id', '=', userId)
    .execute();
  await db.tx
    .updateTable('classes')
    .set({ manager_id: null })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', classId)
    .where('manager_id', '=', userId)
    .execute();
  await restoreTeacherRules(db, [classId]);
}

/**
 * Removes a teacher from all their classes, in which the next teachers become the first, and ends their covers.
 * Returns the number of classes left without a teacher.
 */
export async function removeFromAllClasses(db: SchoolDb, userId: number): Promise<number> {
  const classes = await lockOwnClasses(db, userId);
  const ids = classes.filter(({ manager_id }) => manager_id === userId).map(({ id }) => id);
  await db.tx.deleteFrom('class_teachers').where('school_id', '=', db.schoolId).where('user_id', '=', userId).execute();
  await db.tx.deleteFrom('covers').where('school_id', '=', db.schoolId).where('user_id', '=', userId).execute();
  await db.tx
    .updateTable('classes')
    .set({ manager_id: null })
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  await restoreTeacherRules(db, ids);
  const { left } = await db.tx
    .selectFrom('classes')
    .select(sql<number>`count(*)`.as('left'))
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .where('manager_id', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

/** The SQL condition that a user is on the staff with a role that meets a condition. */
const hasRole = (db: SchoolDb, userId: RawBuilder<unknown>, matches: (role: Role) => boolean) =>
  sql`exists (select from staff m where m.school_id = ${db.schoolId} and m.user_id = ${userId}
    and m.role = any(${ROLES.filter(matches)}::text[]))`;

/**
 * Restores the rules of classes after a change of teachers or roles: a class has no one whose role has no classes, a
 * teaching assistant is not the first teacher, in a class without one the teacher added earliest becomes the first, and the
 * first teacher is not a further one as well. The caller has locked the classes' rows.
 */
export async function restoreTeacherRules(db: SchoolDb, classIds: readonly number[]): Promise<void> {
  const ids = [...classIds];
  const ofClass = sql`c.school_id = ${db.schoolId} and ${inIds('c.id', ids)}`;
  await sql`
    insert into class_teachers (school_id, class_id, user_id, added_at)
    select ${db.schoolId}::bigint, c.id, c.manager_id, c.created_at from classes c
    where ${ofClass} and ${hasRole(db, sql`c.manager_id`, (role) => hasClasses(role) && !isTeachingRole(role))}
    on conflict do nothing returning user_id`.execute(db.tx);
  await sql`
    delete from class_teachers t using classes c
    where t.school_id = ${db.schoolId} and ${ofClass} and c.id = t.class_id
      and not ${hasRole(db, sql`t.user_id`, hasClasses)}`.execute(db.tx);
  await sql`
    update classes c set manager_id = null
    where ${ofClass} and c.manager_id is not null and not ${hasRole(db, sql`c.manager_id`, isTeachingRole)}`.execute(
    db.tx,
  );
  await sql`
    update classes c set manager_id = (select t.user_id from class_teachers t
      where t.school_id = ${db.schoolId} and t.class_id = c.id and ${hasRole(db, sql`t.user_id`, isTeachingRole)}
      order by t.added_at, t.user_id limit 1)
    where ${ofClass} and c.manager_id is null`.execute(db.tx);
  await sql`
    delete from class_teachers t using classes c
    where t.school_id = ${db.schoolId} and ${ofClass} and c.id = t.class_id and c.manager_id = t.user_id`.execute(
    db.tx,
  );
}

/** The IDs of a class's teachers, without its teaching assistants. */
export async function listTeacherIds(db: SchoolDb, classId: number): Promise<number[]> {
  const { rows } = await sql<{ user_id: number }>`
    select c.manager_id as user_id from classes c
    where c.school_id = ${db.schoolId} and c.id = ${classId} and c.manager_id is not null
    union all
    select t.user_id from class_teachers t
    where t.school_id = ${db.schoolId} and t.class_id = ${classId}
      and ${hasRole(db, sql`t.user_id`, isTeachingRole)}`.execute(db.tx);
  return rows.map(({ user_id }) => user_id);
}

/** Locks the classes that a user teaches or helps in until the transaction ends. */
export async function lockOwnClasses(
  db: SchoolDb,
  userId: number,
): Promise<{ id: number; name: string; manager_id: number | null }[]> {
  return db.tx
    .selectFrom('classes')
    .select(['id', 'name', 'manager_id'])
    .where('school_id', '=', db.schoolId)
    .where('id', 'in', ownClassIds(db, userId))
    .orderBy('id')
    .forUpdate()
    .execute();
}

/**
 * Makes a user a teacher of those classes that still exist and have room, and the first teacher where there is none.
 * Returns the classes joined.
 */
export async function joinClasses(
  db: SchoolDb,
  classIds: readonly number[],
  userId: number,
  now: Date,
): Promise<{ id: number; name: string }[]> {
  const classes = await db.tx
    .selectFrom('classes as c')
    .select(['c.id', 'c.name'])
    .where('c.school_id', '=', db.schoolId)
    .where(inIds('c.id', classIds))
    .where(
      sql<number>`(select count(*) from class_teachers t where t.school_id = ${db.schoolId} and t.class_id = c.id)`,
      '<',
      MAX_TEACHERS - 1,
    )
    .orderBy('c.id')
    .forUpdate()
    .execute();
  await addClassTeachers(
    db,
    classes.map(({ id }) => ({ classId: id, userId })),
    now,
  );
  return classes;
}
