import { sql } from 'kysely';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';
import { emailKey } from './access.queries.ts';

/** The credentials that a change of the login is checked against, and the names that a new password must not be made of. */
export async function getCredentials(db: PlatformDb, userId: number) {
  const { first_name, last_name, ...credentials } = await db.tx
    .selectFrom('users')
    .select(['email', 'password_hash', 'require_password_reset', 'first_name', 'last_name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const schoolIds = await listUserSchools(db, userId);
  const schools = await db.tx.selectFrom('schools').select('name').where(inIds('id', schoolIds)).execute();
  return { ...credentials, names: [first_name, last_name, ...schools.map(({ name }) => name)] };
}

/** The recipient of a mail. */
export const findRecipient = (db: PlatformDb, userId: number) =>
  db.tx.selectFrom('users').select(['email', 'first_name as firstName']).where('id', '=', userId).executeTakeFirst();

interface AccountChange {
  firstName: string;
  lastName: string;
  /** The same address, perhaps with a different spelling. */
  email: string;
  /** Undefined leaves the password unchanged. */
  passwordHash: string | undefined;
}

/** Changes an account. */
export async function updateUser(db: PlatformDb, userId: number, change: AccountChange): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({
      first_name: change.firstName,
      last_name: change.lastName,
      email: change.email,
      ...(change.passwordHash === undefined
        ? {}
        : { password_hash: change.passwordHash, require_password_reset: false }),
    })
    .where('id', '=', userId)
    .execute();
}

/** Gives an account another address, which is confirmed. Throws a unique violation if another account has it. */
export async function setEmail(db: PlatformDb, userId: number, email: string, now: Date): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({
      email,
      email_key: emailKey(email),
      email_confirmed_at: now,
      hidden_email_key: null,
    })
    .where('id', '=', userId)
    .execute();
}

/** Records that the address of an account is confirmed. */
export async function setEmailConfirmed(db: PlatformDb, userId: number, now: Date): Promise<void> {
  await db.tx.updateTable('users').set({ email_confirmed_at: now }).where('id', '=', userId).execute();
}

/** Returns whether the address is confirmed, which cannot change until the transaction ends. */
export async function lockEmailConfirmed(db: PlatformDb, userId: number): Promise<boolean> {
  const user = await db.tx
    .selectFrom('users')
    .select('email_confirmed_at')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
  return user?.email_confirmed_at !== null;
}

/** The data of a link that confirms an address. */
export const findConfirmation = (db: PlatformDb, userId: number) =>
  db.tx
    .selectFrom('users')
    .select(['email', 'first_name as firstName', 'email_confirmed_at as confirmedAt', 'hidden_email_key as hiddenKey'])
    .where('id', '=', userId)
    .executeTakeFirst();

/** Sets a new password, and removes a requirement to choose one. */
export async function setPassword(db: PlatformDb, userId: number, passwordHash: string): Promise<void> {
  await db.tx
    .updateTable('users')
    .set({ password_hash: passwordHash, require_password_reset: false })
    .where('id', '=', userId)
    .execute();
}

/** Requires a user to choose a new password at the next login. */
export async function requirePasswordReset(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.updateTable('users').set({ require_password_reset: true }).where('id', '=', userId).execute();
}

/** Turns the weekly digest on or off; the date of the first consent is retained while it is on. */
export async function setDigest(
  db: PlatformDb,
  schoolId: number,
  userId: number,
  optsIn: boolean,
  now: Date,
): Promise<void> {
  await withSchool(db, schoolId, (own) =>
    own.tx
      .updateTable('staff')
      .set({ digest_optin_at: optsIn ? sql<Date>`coalesce(digest_optin_at, ${now})` : null })
      .where('school_id', '=', schoolId)
      .where('user_id', '=', userId)
      .execute(),
  );
}
