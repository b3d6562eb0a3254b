import { sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withPlatform } from '../../../database/platform.ts';
import type { SchoolDb } from '../../../database/school.ts';

/*
 * An account belongs to one school at a time, and a person who leaves keeps a row in `staff` with the time. The account
 * is erased by the last school that has such a row: until then another school names the person beside what they did.
 */

/** A former member of staff, whose account belongs to no school. */
export interface FormerMember {
  id: number;
  createdAt: Date;
  /** As emails name them. */
  name: string;
  email: string;
  emailKey: string;
}

export type FormerRow = Awaited<ReturnType<typeof listFormerMembers>>[number];

/** The former members of staff whose accounts belong to no school, by name; or the one with this ID. */
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
      .select(['id', 'first_name', 'last_name', 'email', 'email_key', 'created_at'])
      .where(inIds('id', [...untils.keys()]))
      .where('school_id', 'is', null)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('operators').select('user_id').whereRef('user_id', '=', 'users.id'))),
      )
      .orderBy('last_name')
      .orderBy('first_name')
      .orderBy('id')
      .execute(),
  );
  return accounts.map((account) => ({ ...account, until: untils.get(account.id) as Date }));
}

/** A former member of staff, whose account belongs to no school. */
export async function findFormerMember(db: SchoolDb, userId: number): Promise<FormerMember | undefined> {
  const [row] = await listFormerMembers(db, userId);
  return (
    row && {
      id: row.id,
      name: `${row.first_name} ${row.last_name}`,
      email: row.email,
      emailKey: row.email_key,
      createdAt: row.created_at,
    }
  );
}

/** The IDs of those who are or were on the school's staff. */
async function listMemberIds({ tx, schoolId }: SchoolDb): Promise<number[]> {
  const rows = await tx.selectFrom('staff').select('user_id').where('school_id', '=', schoolId).execute();
  return rows.map(({ user_id }) => user_id);
}

/** Those of the users whom another school has on its staff or among its former staff. */
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
      where ${inIds('id', memberIds)} and (school_id is null or school_id = ${db.schoolId})
        and not exists (select from operators where user_id = users.id)
      order by id ${locks ? sql`for update` : sql``}`.execute(platform.tx);
    const ids = rows.map(({ id }) => id);
    const elsewhere = await listElsewhere(platform, db.schoolId, ids);
    return ids.filter((id) => !elsewhere.has(id));
  });
}

/**
 * Locks the account and the row of a former member until the transaction ends. Returns what the school erases with them:
 * the account, or only their membership if the account is an operator's or another school has them among its current or
 * former staff. Undefined for a current member, and for someone who is no longer stored here.
 * @param options.needsRow false after a restore, when the backup may be older than the membership
 */
export async function lockFormerMember(
  db: SchoolDb,
  userId: number,
  { needsRow }: { needsRow: boolean },
): Promise<'account' | 'membership' | undefined> {
  const isAccountOwn = await withPlatform(db, async (platform) => {
    const { rows } = await sql<{ is_own: boolean }>`
      select school_id is null and not exists (select from operators where user_id = users.id) as is_own
      from users where id = ${userId} for update`.execute(platform.tx);
    return rows[0]?.is_own === true && !(await listElsewhere(platform, db.schoolId, [userId])).has(userId);
  });
  const row = await db.tx
    .selectFrom('staff')
    .select('until')
    .where('school_id', '=', db.schoolId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  if (row ? row.until === null : needsRow) return undefined;
  return isAccountOwn ? 'account' : 'membership';
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
