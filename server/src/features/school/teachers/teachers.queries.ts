import type { Role } from '#contract/permissions.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
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
