import type { Role } from '#contract/permissions.ts';
import { findStaffAccounts, type StaffAccount, staffRows } from './staff-accounts.queries.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';

interface StaffRow {
  user_id: number;
  role: Role;
}

/** The role of a member of the school's staff. */
export const findMember = (db: SchoolDb, userId: number) =>
  staffRows(db).where('user_id', '=', userId).executeTakeFirst();

/** The school's staff by last name. */
export async function listStaff(db: SchoolDb) {
  const members = await staffRows(db).execute();
  const accounts = await findStaffAccounts(
    db,
    members.map(({ user_id }) => user_id),
  );
  return toStaff(members, accounts);
}

/** The staff with their names, in the order of the accounts. */
export function toStaff(members: readonly StaffRow[], accounts: ReadonlyMap<number, StaffAccount>) {
  const roles = new Map(members.map(({ user_id, role }) => [user_id, role]));
  return [...accounts.values()].flatMap(({ id, first_name, last_name, email }) => {
    const role = roles.get(id);
    return role ? [{ id, first_name, last_name, email, role }] : [];
  });
}

/** The name and address of a member of the school's staff. */
export async function findStaffContact(db: SchoolDb, userId: number) {
  const member = await staffRows(db).where('user_id', '=', userId).executeTakeFirst();
  const account = member && (await findStaffAccounts(db, [userId])).get(userId);
  return (
    account && { first_name: account.first_name, last_name: account.last_name, email: account.email, role: member.role }
  );
}

/** The name of a member of the school's staff. */
export async function findStaffName(db: SchoolDb, userId: number): Promise<string | undefined> {
  const person = await findStaffContact(db, userId);
  return person && `${person.first_name} ${person.last_name}`;
}

/** A user who belongs to a school's staff. */
export async function findStaffUser(
  db: PlatformDb,
  userId: number,
): Promise<{ id: number; school_id: number } | undefined> {
  const user = await db.tx.selectFrom('users').select('school_id').where('id', '=', userId).executeTakeFirst();
  if (!user || user.school_id === null) return undefined;
  return db.tx
    .selectFrom('staff')
    .select(['user_id as id', 'school_id'])
    .where('school_id', '=', user.school_id)
    .where('user_id', '=', userId)
    .where('until', 'is', null)
    .executeTakeFirst();
}

/** The full name of an operator; undefined for anyone else. */
export async function findOperatorName(db: PlatformDb, userId: number): Promise<string | undefined> {
  const row = await db.tx
    .selectFrom('operators as o')
    .innerJoin('users as u', 'u.id', 'o.user_id')
    .select(['u.first_name', 'u.last_name'])
    .where('o.user_id', '=', userId)
    .executeTakeFirst();
  return row && `${row.first_name} ${row.last_name}`;
}
