import type { Role } from '#contract/permissions.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { staffRows } from '../../accounts/access/access.public.ts';
import { removeFromAllClasses } from '../classes/classes.public.ts';
import { removeFromAllPupils } from '../pupils/pupils.public.ts';

export async function updateStaffRole(db: SchoolDb, userId: number, role: Role): Promise<void> {
  await db.tx
    .updateTable('staff')
    .set({ role })
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .execute();
}

/** Locks current members, who keep their roles until the transaction ends. Returns the roles by ID. */
export async function lockRoles(db: SchoolDb, userIds: readonly number[]): Promise<Map<number, Role>> {
  const rows = await staffRows(db).where(inIds('user_id', userIds)).orderBy('user_id').forShare().execute();
  return new Map(rows.map(({ user_id, role }) => [user_id, role]));
}

/** Ends a membership: the row stays without a role. Returns how many classes now have no teacher. */
export async function endMembership(db: SchoolDb, userId: number, now: Date): Promise<number> {
  // Before the classes: a request that gives this person a class locks the row too.
  await db.tx
    .updateTable('staff')
    .set({ role: null, digest_optin_at: null, until: now })
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .where('until', 'is', null)
    .execute();
  await removeFromAllPupils(db, userId);
  return removeFromAllClasses(db, userId);
}

/** Deletes the profiles of a standard account, except the demo. */
export async function removeOwnProfiles(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('own_readers').where('user_id', '=', userId).where('type', '!=', 'demo').execute();
}
