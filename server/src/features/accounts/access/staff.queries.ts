import type { Role } from '#contract/permissions.ts';
import { findStaffAccounts, type StaffAccount, staffRows } from './staff-accounts.queries.ts';
import type { SchoolDb } from '../../../database/school.ts';

interface StaffRow {
  user_id: number;
  role: Role;
}

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
