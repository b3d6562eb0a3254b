import { type Insertable, sql } from 'kysely';
import { findStaffAccounts, type StaffAccount } from '../../accounts/access/access.public.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

/** Stores a reset. The link to its logins is derived from the secret, which the row has only until they are ready. */
export async function insertReset(
  db: SchoolDb,
  reset: Omit<Insertable<Tables['password_resets']>, 'school_id'>,
): Promise<void> {
  await db.tx
    .insertInto('password_resets')
    .values({ school_id: db.schoolId, ...reset })
    .execute();
}

const resetRow = (db: SchoolDb, id: string) =>
  db.tx.selectFrom('password_resets').selectAll().where('school_id', '=', db.schoolId).where('id', '=', id);

/** A reset by the ID of its row. */
export const findReset = (db: SchoolDb, id: string) => resetRow(db, id).executeTakeFirst();

/** Locks and returns a reset, so that a job that runs twice at the same time does its work once. */
export const lockReset = (db: SchoolDb, id: string) => resetRow(db, id).forUpdate().executeTakeFirst();

export async function finishReset(db: SchoolDb, id: string, status: 'none' | 'complete'): Promise<void> {
  await db.tx
    .updateTable('password_resets')
    .set({ status, pending_secret: null })
    .where('school_id', '=', db.schoolId)
    .where('id', '=', id)
    .execute();
}

/** The details on the cards of those pupils that still exist. */
export const listForCards = (db: SchoolDb, pupilIds: readonly number[]) =>
  db.tx
    .selectFrom('pupils as p')
    .leftJoin('classes as c', (join) => join.on('c.school_id', '=', db.schoolId).onRef('c.id', '=', 'p.class_id'))
    .select(['p.id', 'p.name', 'p.username', 'c.name as class'])
    .where('p.school_id', '=', db.schoolId)
    .where('p.archived_at', 'is', null)
    .where(inIds('p.id', pupilIds))
    .orderBy('p.id')
    .execute();

/** Sets new passwords of pupils. */
export async function updatePasswords(db: SchoolDb, hashes: readonly { id: number; hash: string }[]): Promise<void> {
  await sql`
    update pupils set password_hash = g.hash
    from jsonb_to_recordset(${JSON.stringify(hashes)}::jsonb) as g (id bigint, hash text)
    where pupils.school_id = ${db.schoolId} and pupils.id = g.id`.execute(db.tx);
}

/** The account of the user who requested a reset; undefined if they have left or have no address. */
export async function findRequester(db: SchoolDb, userId: number): Promise<StaffAccount | undefined> {
  const account = (await findStaffAccounts(db, [userId])).get(userId);
  // A supply teacher has no address.
  return account?.email ? account : undefined;
}
