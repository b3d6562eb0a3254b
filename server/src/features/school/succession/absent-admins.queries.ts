import { sql } from 'kysely';
import { iteratePages } from '../../../database/batches.ts';
import type { Database } from '../../../database/database.ts';
import { readInPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';

const PAGE_SIZE = 200;

/** Schools without a login of an admin since a time, and those whose admin was away before. */
export const iterateSchoolsToCheck = (database: Database, since: Date): AsyncGenerator<{ id: number }> =>
  iteratePages((after) =>
    readInPlatform(database, async ({ tx }) => {
      const { rows } = await sql<{ id: number }>`
        select s.id from schools s
        where s.id > ${after?.id ?? 0} and (s.admin_away_since is not null or s.created_at <= ${since} and not exists (
          select from staff m join login_events e on e.school_id = m.school_id and e.user_id = m.user_id
          where m.school_id = s.id and m.role = 'admin' and m.until is null and e.at > ${since}))
        order by s.id limit ${PAGE_SIZE}`.execute(tx);
      return rows;
    }),
  );

/** When a member of the staff joined the school. */
export async function findJoinedAt(db: SchoolDb, userId: number): Promise<Date | undefined> {
  const row = await db.tx
    .selectFrom('staff')
    .select('joined_at')
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row?.joined_at;
}
