import { DAY_MS } from '../../../clock.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { type SchoolDb, withSchool } from '../../../database/school.ts';
import { excuseAddress } from '../../../mail/delivery.queries.ts';
import { claimMails } from '../../../mail/outbox.queries.ts';

/** How long the new address can be confirmed, and a confirmed one can be stopped. */
export const EMAIL_CHANGE_TTL_MS = 7 * DAY_MS;
export const EMAIL_CHANGE_DELAY_MS = DAY_MS;
/** How many changes one run of the job carries out. */
const MAX_DUE_CHANGES = 100;

/** A change of email address that a user has requested. */
export interface EmailChange {
  email: string;
  /** When the old address agreed. */
  agreedAt: Date | null;
  /** When the new address was confirmed. */
  confirmedAt: Date | null;
}

/** When a confirmed new address takes effect; null while it is not confirmed. */
export const emailChangeDueAt = (confirmedAt: Date | null): Date | null =>
  confirmedAt && new Date(confirmedAt.getTime() + EMAIL_CHANGE_DELAY_MS);

/** The user's change that has not expired. */
export const findEmailChange = (db: PlatformDb, userId: number, now: Date): Promise<EmailChange | undefined> =>
  db.tx
    .selectFrom('email_changes')
    .select(['email', 'agreed_at as agreedAt', 'confirmed_at as confirmedAt'])
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('confirmed_at', 'is not', null), eb('expires_at', '>', now)]))
    .executeTakeFirst();

/** Stores a change in place of an earlier one. */
export async function replaceEmailChange(db: PlatformDb, userId: number, email: string, now: Date): Promise<void> {
  const change = {
    email,
    requested_at: now,
    expires_at: new Date(now.getTime() + EMAIL_CHANGE_TTL_MS),
    agreed_at: null,
    confirmed_at: null,
  };
  await db.tx
    .insertInto('email_changes')
    .values({ user_id: userId, ...change })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute();
}

/** Extends the time in which the new address can be confirmed. */
export async function extendEmailChange(db: PlatformDb, userId: number, now: Date): Promise<void> {
  await db.tx
    .updateTable('email_changes')
    .set({ expires_at: new Date(now.getTime() + EMAIL_CHANGE_TTL_MS) })
    .where('user_id', '=', userId)
    .execute();
}

/** Records that the old or the new address has agreed to the change. */
export async function recordAgreement(
  db: PlatformDb,
  userId: number,
  by: 'agreed_at' | 'confirmed_at',
  now: Date,
): Promise<void> {
  await db.tx
    .updateTable('email_changes')
    .set({ [by]: now })
    .where('user_id', '=', userId)
    .execute();
}

/** Ends a change. Returns false when there is none. */
export async function removeEmailChange(db: PlatformDb, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.tx.deleteFrom('email_changes').where('user_id', '=', userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** The users whose confirmed address takes effect by now. */
export async function listDueEmailChanges(db: PlatformDb, now: Date): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('email_changes')
    .select('user_id')
    .where('confirmed_at', '<=', new Date(now.getTime() - EMAIL_CHANGE_DELAY_MS))
    .orderBy('confirmed_at')
    .limit(MAX_DUE_CHANGES)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

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
 * finds these. What bounced to it no longer counts. Without a proof that the address was theirs, only in their school.
 */
export async function claimFormerAddress(
  db: PlatformDb,
  user: { id: number; email_key: string; schoolIds: readonly number[]; email_confirmed_at: Date | null },
): Promise<void> {
  const { id, email_key: key, schoolIds } = user;
  if (user.email_confirmed_at !== null) await claimMails(db, id, key);
  await excuseAddress(db, key);
  for (const schoolId of schoolIds) {
    if (user.email_confirmed_at === null) await claimMails(db, id, key, schoolId);
    await withSchool(db, schoolId, (school) => claimInvites(school, id, key));
  }
}
