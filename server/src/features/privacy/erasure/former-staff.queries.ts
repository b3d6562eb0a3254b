import { type SqlBool, sql } from 'kysely';
import { HAS_NO_SCHOOL, hasNoOtherSchool } from '../../../auth/user-schools.queries.ts';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';

/*
 * A person who leaves a school keeps a row in `staff` with the time. The account is erased by the last school that has
 * such a row, if the person works at none: until then another school names the person beside what they did. Operators are
 * no former staff: their accounts stay when they leave a school.
 */

/** The account of a row of `users` belongs to the school. */
const belongsTo = (schoolId: number) =>
  sql<SqlBool>`exists (select from user_schools m where m.user_id = users.id and m.school_id = ${schoolId})`;

const IS_NO_OPERATOR = sql<SqlBool>`not exists (select from operators where user_id = users.id)`;

/**
 * The former members of staff, by name; or the one with this ID. The address of someone who works at another school is
 * null: it may be one that this school never had.
 */
export async function listFormerMembers(db: SchoolDb, userId?: number) {
  const rows = await db.tx
    .selectFrom('staff')
    .select(['user_id', 'until'])
    .where('school_id', '=', db.schoolId)
    .where('until', 'is not', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0))
    .execute();
  if (rows.length === 0) return [];
  const untils = new Map(rows.map((row) => [row.user_id, row.until]));
  const accounts = await withPlatform(db, ({ tx }) =>
    tx
      .selectFrom('users')
      .select(['id', 'first_name', 'last_name', 'email_key', 'created_at'])
      .select(sql<string | null>`case when ${hasNoOtherSchool(db.schoolId)} then email end`.as('email'))
      .where(inIds('id', [...untils.keys()]))
      .where(IS_NO_OPERATOR)
      .orderBy('last_name')
      .orderBy('first_name')
      .orderBy('id')
      .execute(),
  );
  return accounts.map((account) => ({ ...account, until: untils.get(account.id) as Date }));
}

/** A former member of staff to erase. */
export interface FormerMember {
  id: number;
  createdAt: Date;
  emailKey: string;
}

/** Finds a former member of staff. */
export async function findFormerMember(db: SchoolDb, userId: number): Promise<FormerMember | undefined> {
  const [account] = await listFormerMembers(db, userId);
  return account && { id: account.id, createdAt: account.created_at, emailKey: account.email_key };
}

/**
 * Finds a current member of the school's staff, or a former one who works at no other school.
 * @param options.locks locks the account, which cannot be erased meanwhile
 */
export async function findCurrentOrFormerMember(
  db: SchoolDb,
  userId: number,
  { locks }: { locks: boolean },
): Promise<{ name: string; email: string; emailKey: string } | undefined> {
  const account = await withPlatform(db, ({ tx }) =>
    tx
      .selectFrom('users')
      .select(['first_name', 'last_name', 'email', 'email_key'])
      .where('id', '=', userId)
      .where(({ or }) => or([belongsTo(db.schoolId), hasNoOtherSchool(db.schoolId)]))
      .where(IS_NO_OPERATOR)
      .$if(locks, (query) => query.forUpdate())
      .executeTakeFirst(),
  );
  const memberIds = await listMemberIds(db);
  if (!account || !memberIds.includes(userId)) return undefined;
  return { name: `${account.first_name} ${account.last_name}`, email: account.email, emailKey: account.email_key };
}

/** The IDs of those who are or were on the school's staff. */
async function listMemberIds({ tx, schoolId }: SchoolDb): Promise<number[]> {
  const rows = await tx.selectFrom('staff').select('user_id').where('school_id', '=', schoolId).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Those of the users whom another school has among its former staff. */
async function listElsewhere({ tx }: PlatformDb, schoolId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await tx
    .selectFrom('staff')
    .select('user_id')
    .where(inIds('user_id', ids))
    .where('until', 'is not', null)
    .where('school_id', '<>', schoolId)
    .execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/**
 * The accounts that end with the school, in order: of its current and former staff, except operators and people who are
 * or were on the staff of another school.
 * @param options.locks locks the accounts, which cannot join a school until the transaction ends
 */
export async function listAccountsOfSchool(db: SchoolDb, { locks }: { locks: boolean }): Promise<number[]> {
  const memberIds = await listMemberIds(db);
  return withPlatform(db, async (platform) => {
    const { rows } = await sql<{ id: number }>`
      select id from users
      where ${inIds('id', memberIds)} and ${hasNoOtherSchool(db.schoolId)} and ${IS_NO_OPERATOR}
      order by id ${locks ? sql`for update` : sql``}`.execute(platform.tx);
    const ids = rows.map(({ id }) => id);
    const elsewhere = await listElsewhere(platform, db.schoolId, ids);
    return ids.filter((id) => !elsewhere.has(id));
  });
}

/** What ends with an erasure: the account, or what this school stores, because others have or had the person too. */
export type Extent = 'account' | 'membership';

/**
 * Locks the account and the row of a former member until the transaction ends. Returns what the school erases with them:
 * only their membership if the account is an operator's or another school has them among its current or former staff.
 * Undefined for a current member, and for someone who is no longer stored here.
 * @param options.needsRow false after a restore, when the backup may be older than the membership
 */
export async function lockFormerMember(
  db: SchoolDb,
  userId: number,
  { needsRow }: { needsRow: boolean },
): Promise<Extent | undefined> {
  const canEraseAccount = await withPlatform(db, async (platform) => {
    const { rows } = await sql<{ is_free: boolean }>`
      select ${sql.raw(HAS_NO_SCHOOL)} and ${IS_NO_OPERATOR} as is_free from users where id = ${userId} for update`.execute(
      platform.tx,
    );
    return rows[0]?.is_free === true && !(await listElsewhere(platform, db.schoolId, [userId])).has(userId);
  });
  const row = await db.tx
    .selectFrom('staff')
    .select('until')
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (row ? row.until === null : needsRow) return undefined;
  return canEraseAccount ? 'account' : 'membership';
}

/** The schools whose former staff a user is among. */
export async function listFormerSchools(db: SchoolDb, userId: number): Promise<number[]> {
  const rows = await withPlatform(db, ({ tx }) =>
    tx
      .selectFrom('staff')
      .select('school_id')
      .where('user_id', '=', userId)
      .where('until', 'is not', null)
      .orderBy('school_id')
      .execute(),
  );
  return rows.map(({ school_id }) => school_id);
}
