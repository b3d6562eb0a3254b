import { MOST_TEACHERS } from '#contract/calls/classes.ts';
import { sql } from 'kysely';
import { inIds } from '../../database/in-ids.ts';
import type { SchoolDb } from '../../database/school.ts';
import { ownClassIds } from './classes.access.ts';

/** Puts a member of staff first among the teachers of a class, in the place of the one who was; nobody with null. */
export async function updateManager(db: SchoolDb, classId: number, managerId: number | null): Promise<void> {
  await db.tx
    .updateTable('classes')
    .set({ manager_id: managerId })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', classId)
    .execute();
  await settleTeachers(db, [classId]);
}

/** Adds teachers to classes after those who are there, each once, or first where there is nobody. */
export async function addTeachers(
  db: SchoolDb,
  teachers: readonly { classId: number; userId: number }[],
  now: Date,
): Promise<void> {
  const given = JSON.stringify(teachers.map(({ classId, userId }) => ({ class_id: classId, user_id: userId })));
  await sql`
    insert into class_teachers (school_id, class_id, user_id, added_at)
    select ${db.schoolId}::bigint, class_id, user_id, ${now}::timestamptz
    from jsonb_to_recordset(${given}::jsonb) as g (class_id bigint, user_id bigint)
    on conflict do nothing`.execute(db.tx);
  await settleTeachers(
    db,
    teachers.map(({ classId }) => classId),
  );
}

/** Takes one teacher from a class; the next one becomes the first. */
export async function removeTeacher(db: SchoolDb, classId: number, userId: number): Promise<void> {
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
  await settleTeachers(db, [classId]);
}

/** Takes somebody from all their classes; the next teachers become the first. Returns how many classes have nobody now. */
export async function removeFromAllClasses(db: SchoolDb, userId: number): Promise<number> {
  const classes = await db.tx
    .selectFrom('classes')
    .select(['id', 'manager_id'])
    .where('school_id', '=', db.schoolId)
    .where('id', 'in', ownClassIds(db, userId))
    .orderBy('id')
    .forUpdate()
    .execute();
  const ids = classes.filter(({ manager_id }) => manager_id === userId).map(({ id }) => id);
  await db.tx.deleteFrom('class_teachers').where('school_id', '=', db.schoolId).where('user_id', '=', userId).execute();
  await db.tx
    .updateTable('classes')
    .set({ manager_id: null })
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .execute();
  await settleTeachers(db, ids);
  const { left } = await db.tx
    .selectFrom('classes')
    .select(sql<number>`count(*)`.as('left'))
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .where('manager_id', 'is', null)
    .executeTakeFirstOrThrow();
  return left;
}

/**
 * After any change of teachers: of a class without a first teacher the one who was added earliest becomes the first,
 * and nobody is first and further at once. The classes' rows are locked by whoever changes them.
 */
export async function settleTeachers(db: SchoolDb, classIds: readonly number[]): Promise<void> {
  const ids = [...classIds];
  await sql`
    update classes c set manager_id = (select t.user_id from class_teachers t
      where t.school_id = ${db.schoolId} and t.class_id = c.id order by t.added_at, t.user_id limit 1)
    where c.school_id = ${db.schoolId} and ${inIds('c.id', ids)} and c.manager_id is null`.execute(db.tx);
  await sql`
    delete from class_teachers t using classes c
    where t.school_id = ${db.schoolId} and c.school_id = ${db.schoolId} and c.id = t.class_id
      and ${inIds('c.id', ids)} and c.manager_id = t.user_id`.execute(db.tx);
}

/**
 * Makes somebody a teacher of those of the classes that are still there and have room: the first where there is nobody.
 * Returns which they were.
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
      MOST_TEACHERS - 1,
    )
    .orderBy('c.id')
    .forUpdate()
    .execute();
  await addTeachers(
    db,
    classes.map(({ id }) => ({ classId: id, userId })),
    now,
  );
  return classes;
}
