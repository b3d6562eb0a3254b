import { sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';

/** The school's staff by last name. */
export const listStaff = (db: SchoolDb) =>
  db.tx
    .selectFrom('staff as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.id', 'u.first_name', 'u.last_name', 'u.email', 'm.role'])
    .where('m.school_id', '=', db.schoolId)
    .orderBy(sql`lower(u.last_name)`)
    .orderBy(sql`lower(u.first_name)`)
    .orderBy('u.id')
    .execute();

/** The name of a member of the school's staff. */
export async function findStaffName(db: SchoolDb, userId: number): Promise<string | undefined> {
  const row = await db.tx
    .selectFrom('staff as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.first_name', 'u.last_name'])
    .where('m.school_id', '=', db.schoolId)
    .where('m.user_id', '=', userId)
    .executeTakeFirst();
  return row && `${row.first_name} ${row.last_name}`;
}

/** How a member of the school's staff is called and reached. */
export const findStaffContact = (db: SchoolDb, userId: number) =>
  db.tx
    .selectFrom('staff as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['u.first_name', 'u.last_name', 'u.email', 'm.role'])
    .where('m.school_id', '=', db.schoolId)
    .where('m.user_id', '=', userId)
    .executeTakeFirst();
