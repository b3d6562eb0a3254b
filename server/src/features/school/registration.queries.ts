import { type Insertable, sql } from 'kysely';
import type { PlatformDb } from '../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../database/school.ts';
import type { Tables } from '../../database/tables.ts';

/** Creates a school and returns its id. Its row is written in its own scope, as everything of a school is. */
export async function insertSchool(db: PlatformDb, school: Omit<Insertable<Tables['schools']>, 'id'>): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('schools', 'id')) as id`.execute(
    db.tx,
  );
  const id = rows[0]?.id ?? 0;
  await withSchool(db, id, (own) =>
    own.tx
      .insertInto('schools')
      .values({ ...school, id })
      .execute(),
  );
  return id;
}

/** Makes a user a member of the school's staff. */
export async function insertStaff(db: SchoolDb, userId: number, role: 'admin' | 'teacher', now: Date): Promise<void> {
  await db.tx
    .insertInto('staff')
    .values({ school_id: db.schoolId, user_id: userId, role, digest_optin_at: null, joined_at: now })
    .execute();
}

/** Gives a user the school that they belong to from now on. */
export async function putIntoSchool(db: PlatformDb, userId: number, schoolId: number): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({ school_id: schoolId, user_type: 'enterprise' })
    .where('id', '=', userId)
    .execute();
}
