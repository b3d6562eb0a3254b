import type { Insertable } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

export async function insertSheet(
  db: SchoolDb,
  sheet: Omit<Insertable<Tables['login_sheets']>, 'school_id'>,
): Promise<void> {
  await db.tx
    .insertInto('login_sheets')
    .values({ school_id: db.schoolId, ...sheet })
    .execute();
}

/** The sheet behind a link, for the user who created it and until it expires. */
export async function findSheet(
  db: SchoolDb,
  userId: number,
  tokenHash: Buffer,
  now: Date,
): Promise<Buffer | undefined> {
  const row = await db.tx
    .selectFrom('login_sheets')
    .select('sealed')
    .where('school_id', '=', db.schoolId)
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row && Buffer.from(row.sealed);
}
