import type { Group } from '#contract/calls/school.ts';
import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import type { StaffSession } from '../../http/pipeline.ts';
import { managesClass } from './classes.access.ts';

/** All classes of the school by name, each with its counts and whether the person may act on it. */
export async function listClasses(db: SchoolDb, me: StaffSession): Promise<Group[]> {
  const rows = await db.tx
    .selectFrom('classes as c')
    .leftJoin('users as u', 'u.id', 'c.manager_id')
    .select(['c.id', 'c.name', 'c.manager_id', 'u.first_name', 'u.last_name'])
    .select((from) => [
      from.selectFrom('pupils as p').select(sql<number>`count(*)`.as('n')).whereRef('p.school_id', '=', 'c.school_id').whereRef('p.class_id', '=', 'c.id').as('readers_count'),
      from.selectFrom('class_books as b').select(sql<number>`count(*)`.as('n')).whereRef('b.school_id', '=', 'c.school_id').whereRef('b.class_id', '=', 'c.id').as('assigned_book_count'),
      managesClass(me, from.ref('c.manager_id')).as('user_manages'),
    ])
    .where('c.school_id', '=', db.schoolId)
    .orderBy('c.name_key')
    .orderBy('c.id')
    .execute();
  return rows.map(({ first_name, last_name, ...row }) => ({
    ...row,
    readers_count: row.readers_count ?? 0,
    assigned_book_count: row.assigned_book_count ?? 0,
    user_manages: row.user_manages,
    manager: row.manager_id !== null && first_name !== null && last_name !== null ? { id: row.manager_id, first_name, last_name } : null,
  }));
}

/** True when the school has the class. */
export async function hasClass(db: SchoolDb, classId: number): Promise<boolean> {
  const row = await db.tx.selectFrom('classes').select('id').where('school_id', '=', db.schoolId).where('id', '=', classId).executeTakeFirst();
  return row !== undefined;
}

/** Creates a class and returns its id. */
export async function insertClass(db: SchoolDb, name: string, managerId: number | null, now: Date): Promise<number> {
  const { id } = await db.tx
    .insertInto('classes')
    .values({ school_id: db.schoolId, name, name_key: name.toLowerCase(), manager_id: managerId, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
