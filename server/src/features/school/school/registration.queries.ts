import type { Role } from '#contract/permissions.ts';
import { type Insertable, sql } from 'kysely';
import { beginChain } from '../../../audit/audit-head.queries.ts';
import { moveSessionsToFirstSchool } from '../../../auth/sessions.queries.ts';
import { addUserSchool } from '../../../auth/user-schools.queries.ts';
import type { Config } from '../../../config.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

/**
 * Creates a school with the beginning of its audit log's chain, and returns its ID. Its rows are inserted in its own
 * scope, like all rows of a school.
 */
export async function insertSchool(
  db: PlatformDb,
  config: Pick<Config, 'secretsKeys' | 'dataDir'>,
  school: Omit<Insertable<Tables['schools']>, 'id'>,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('schools', 'id')) as id`.execute(
    db.tx,
  );
  const id = rows[0]?.id ?? 0;
  await withSchool(db, id, async (schoolDb) => {
    await schoolDb.tx
      .insertInto('schools')
      .values({ ...school, id })
      .execute();
    await beginChain(schoolDb, config, now);
  });
  return id;
}

/** Makes a user a member of the school's staff, also one who has left it. Throws for a current member. */
export async function insertStaff(db: SchoolDb, userId: number, role: Role, now: Date): Promise<void> {
  await db.tx
    .insertInto('staff')
    .values({ school_id: db.schoolId, user_id: userId, role, digest_optin_at: null, joined_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['school_id', 'user_id'])
        .doUpdateSet({ role, joined_at: now, until: null })
        .where('staff.until', 'is not', null),
    )
    .returning('user_id')
    .executeTakeFirstOrThrow();
}

/** Adds a locked account to a school, which its sessions without a school enter. Throws as `addUserSchool` does. */
export async function joinUserSchool(
  db: PlatformDb,
  user: { id: number; schoolIds: readonly number[] },
  schoolId: number,
  now: Date,
): Promise<void> {
  await addUserSchool(db, user, schoolId, now);
  await db.tx.updateTable('users').set({ user_type: 'enterprise' }).where('id', '=', user.id).execute();
  await moveSessionsToFirstSchool(db, user.id, schoolId);
}
