import { type AssignableRole, type Role, type SchoolAction, schoolActions } from '#contract/permissions.ts';
import { sql } from 'kysely';
import { listUserSchools } from '../../../auth/user-schools.queries.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
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
 * member has no role, and `until`. Supply teachers are not listed: they have no address, and their role cannot be changed.
 */
export const staffRows = (db: SchoolDb) =>
  db.tx
    .selectFrom('staff')
    .select(['user_id', 'role'])
    .where('school_id', '=', db.schoolId)
    .where('until', 'is', null)
    .where('role', '<>', 'supply_teacher')
    .$narrowType<{ role: AssignableRole }>();

/** Locks a current member, who keeps their role until the transaction ends. Returns the role. */
export const lockMember = async (db: SchoolDb, userId: number): Promise<AssignableRole | undefined> =>
  (await staffRows(db).where('user_id', '=', userId).forShare().executeTakeFirst())?.role;

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
    .innerJoin('user_schools', 'user_id', 'id')
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
export const listAdmins = (db: SchoolDb): Promise<StaffAccount[]> => listByRole(db, ['admin']);

/** The accounts of the staff whose role allows an action, by name. */
export const listStaffAllowed = (db: SchoolDb, action: SchoolAction): Promise<StaffAccount[]> =>
  listByRole(db, schoolActions[action]);

async function listByRole(db: SchoolDb, roles: readonly Role[]): Promise<StaffAccount[]> {
  const members = await staffRows(db)
    .where('role', 'in', roles as readonly AssignableRole[])
    .execute();
  const accounts = await findStaffAccounts(
    db,
    members.map(({ user_id }) => user_id),
  );
  return [...accounts.values()];
}

interface StaffRow {
  user_id: number;
  role: AssignableRole;
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
  const member = await findMember(db, userId);
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

/**
 * A user who belongs to a school's staff.
 * @param schoolId the school; the one that they entered last when absent
 */
export async function findStaffUser(
  db: PlatformDb,
  userId: number,
  schoolId?: number,
): Promise<{ id: number; school_id: number } | undefined> {
  const id = schoolId ?? (await listUserSchools(db, userId))[0];
  if (id === undefined) return undefined;
  return db.tx
    .selectFrom('staff')
    .select(['user_id as id', 'school_id'])
    .where('school_id', '=', id)
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
