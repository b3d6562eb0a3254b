import { type NotNull, sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** What a school can see of the account of a member of its staff. */
export interface StaffAccount {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  email_key: string;
  email_confirmed_at: Date | null;
}

/**
 * The current staff of the school with their roles, without names, as a statement or part of one. The row of a former
 * member has no role, and `until`.
 */
export const staffRows = (db: SchoolDb) =>
  db.tx
    .selectFrom('staff')
    .select(['user_id', 'role'])
    .where('school_id', '=', db.schoolId)
    .where('until', 'is', null)
    .$narrowType<{ role: NotNull }>();

/** Locks a current member, who cannot leave until the transaction ends. Returns whether there is one. */
export const lockMember = async (db: SchoolDb, userId: number): Promise<boolean> =>
  (await staffRows(db).where('user_id', '=', userId).forShare().executeTakeFirst()) !== undefined;

/**
 * The accounts with these IDs that belong to the school, by ID; users who have left are omitted. A separate statement,
 * because a cluster stores accounts on another machine than schools.
 */
export async function findStaffAccounts(
  db: SchoolDb,
  userIds: readonly (number | null)[],
): Promise<Map<number, StaffAccount>> {
  const ids = [...new Set(userIds.filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await db.tx
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name', 'email', 'email_key', 'email_confirmed_at'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('id', ids))
    .orderBy(sql`lower(last_name)`)
    .orderBy(sql`lower(first_name)`)
    .orderBy('id')
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The accounts of the school's admins, by name. */
export async function listAdmins(db: SchoolDb): Promise<StaffAccount[]> {
  const admins = await staffRows(db).where('role', '=', 'admin').execute();
  const accounts = await findStaffAccounts(
    db,
    admins.map(({ user_id }) => user_id),
  );
  return [...accounts.values()];
}
