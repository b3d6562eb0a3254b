import { sql } from 'kysely';
import type { PlatformDb } from '../../database/platform.ts';
import { emailKey } from './access.queries.ts';

/** What a change of the login is checked against. */
export const findCredentials = (db: PlatformDb, userId: number) =>
  db.tx
    .selectFrom('users')
    .select(['email', 'password_hash', 'require_password_reset'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

/** Whom a mail goes to. */
export const findRecipient = (db: PlatformDb, userId: number) =>
  db.tx
    .selectFrom('users')
    .select(['email', 'first_name as firstName', 'school_id as schoolId'])
    .where('id', '=', userId)
    .executeTakeFirst();

interface AccountChange {
  firstName: string;
  lastName: string;
  email: string;
  /** Undefined leaves the password as it is. */
  passwordHash: string | undefined;
}

/** Changes an account. An address that another account has is a unique violation. */
export async function updateUser(db: PlatformDb, userId: number, change: AccountChange): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({
      first_name: change.firstName,
      last_name: change.lastName,
      email: change.email,
      email_key: emailKey(change.email),
      ...(change.passwordHash === undefined
        ? {}
        : { password_hash: change.passwordHash, require_password_reset: false }),
    })
    .where('id', '=', userId)
    .execute();
}

/** Sets a new password; a person who had to choose one has done so. */
export async function setPassword(db: PlatformDb, userId: number, passwordHash: string): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({ password_hash: passwordHash, require_password_reset: false })
    .where('id', '=', userId)
    .execute();
}

/** Makes a person choose a new password at the next login. */
export async function requirePasswordReset(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ require_password_reset: true }).where('id', '=', userId).execute();
}

/** Switches the weekly digest on or off; the first consent's date stays while it is on. */
export async function setDigest(
  db: PlatformDb,
  schoolId: number,
  userId: number,
  optsIn: boolean,
  now: Date,
): Promise<void> {
  await db.tx
    .updateTable('staff')
    .set({ digest_optin_at: optsIn ? sql<Date>`coalesce(digest_optin_at, ${now})` : null })
    .where('school_id', '=', schoolId)
    .where('user_id', '=', userId)
    .execute();
}
