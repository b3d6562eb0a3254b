import type { SchoolDb } from '../../../database/school.ts';

/** The school's permission that lets support see data about children; undefined without one. */
export const findPermission = (db: SchoolDb, now: Date) =>
  db.tx
    .selectFrom('support_permissions')
    .select(['allowed_by', 'expires_at'])
    .where('school_id', '=', db.schoolId)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Replaces the permission. */
export async function savePermission(db: SchoolDb, allowedBy: number, expiresAt: Date): Promise<void> {
  const permission = { allowed_by: allowedBy, expires_at: expiresAt };
  await db.tx
    .insertInto('support_permissions')
    .values({ school_id: db.schoolId, ...permission })
    .onConflict((conflict) => conflict.column('school_id').doUpdateSet(permission))
    .execute();
}

/** Ends the sessions of support in the school, and removes codes for more of them. */
export async function endSupportSessions(db: SchoolDb): Promise<void> {
  await db.tx
    .deleteFrom('sessions')
    .where('school_id', '=', db.schoolId)
    .where('impersonator_id', 'is not', null)
    .execute();
  await db.tx
    .deleteFrom('one_time_links')
    .where('school_id', '=', db.schoolId)
    .where('kind', '=', 'impersonation')
    .execute();
}

/** Withdraws the permission. Returns whether it still held. */
export async function removePermission(db: SchoolDb, now: Date): Promise<boolean> {
  const removed = await db.tx
    .deleteFrom('support_permissions')
    .where('school_id', '=', db.schoolId)
    .returning('expires_at')
    .executeTakeFirst();
  return removed !== undefined && removed.expires_at > now;
}
