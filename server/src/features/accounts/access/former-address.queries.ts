import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { claimMails } from '../../../mail/outbox.queries.ts';

/**
 * Records that the school's invites to an address were for this user, in place of the address and name. All of them count
 * as accepted.
 * @param key the normalised address
 */
export async function claimInvites(db: SchoolDb, userId: number, key: string): Promise<void> {
  await db.tx
    .updateTable('invites')
    .set({ status: 'accepted', user_id: userId, email: '', email_key: '', name: '' })
    .where('school_id', '=', db.schoolId)
    .where('email_key', '=', key)
    .execute();
}

/**
 * Replaces an address that a user gives up by their ID, in mails and in their school's invites, so that erasing the account
 * finds these. Without a proof that the address was theirs, only in their school.
 */
export async function claimFormerAddress(
  db: PlatformDb,
  user: { id: number; email_key: string; school_id: number | null; email_confirmed_at: Date | null },
): Promise<void> {
  const { id, email_key: key, school_id: schoolId } = user;
  if (user.email_confirmed_at !== null) await claimMails(db, id, key);
  else if (schoolId !== null) await claimMails(db, id, key, schoolId);
  if (schoolId !== null) await withSchool(db, schoolId, (school) => claimInvites(school, id, key));
}
