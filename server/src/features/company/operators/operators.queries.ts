import type { FoundSchool, SchoolState } from '#contract/calls/operators.ts';
import { type SqlBool, sql } from 'kysely';
import { inIds } from '../../../database/in-ids.ts';
import { containing } from '../../../database/like.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { emailKey } from '../../accounts/access/access.public.ts';

/** Marks an account as an operator's. */
export async function addOperator(db: PlatformDb, userId: number, now: Date): Promise<void> {
  await db.tx
    .insertInto('operators')
    .values({ user_id: userId, added_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute();
}

/** Revokes an operator's rights; sessions and codes created with them end. */
export async function removeOperator(db: PlatformDb, userId: number): Promise<void> {
  await db.tx.deleteFrom('operators').where('user_id', '=', userId).execute();
  await db.tx.deleteFrom('sessions').where('impersonator_id', '=', userId).execute();
  await db.tx.deleteFrom('one_time_links').where('operator_id', '=', userId).execute();
}

interface SchoolSearch {
  search: string;
  page: number;
  perPage: number;
}

/** A page of schools that match by name, ID, URN or a staff member's address, and their total. */
export async function searchSchools(
  db: PlatformDb,
  { search, page, perPage }: SchoolSearch,
): Promise<{ schools: FoundSchool[]; total: number; filtered: number }> {
  const memberships = search
    ? await db.tx
        .selectFrom('users')
        .innerJoin('user_schools', 'user_id', 'id')
        .select('school_id')
        .where('email_key', '=', emailKey(search))
        .execute()
    : [];
  const schoolIds = memberships.map(({ school_id }) => school_id);
  const fits = search
    ? sql<SqlBool>`(s.name ilike ${containing(search)} or s.id::text = ${search} or s.urn = ${search}
        or ${inIds('s.id', schoolIds)})`
    : sql<SqlBool>`true`;
  const rows = await db.tx
    .selectFrom('schools as s')
    .leftJoin('subscriptions as b', (join) => join.onRef('b.school_id', '=', 's.id').on('b.ended_at', 'is', null))
    .select(['s.id', 's.name', 's.urn', 's.created_at', 'b.expires_at'])
    .select((from) =>
      from
        .selectFrom('staff as m')
        .select(sql<number>`count(*)`.as('n'))
        .whereRef('m.school_id', '=', 's.id')
        .where('m.until', 'is', null)
        .where('m.role', '<>', 'supply_teacher')
        .as('staff_count'),
    )
    .where(fits)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute();
  const count = (condition: typeof fits) =>
    db.tx
      .selectFrom('schools as s')
      .select(sql<number>`count(*)`.as('n'))
      .where(condition)
      .executeTakeFirstOrThrow();
  const [{ n: total }, { n: filtered }] = [await count(sql<SqlBool>`true`), await count(fits)];
  const schools = rows.map(({ created_at, expires_at, staff_count, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    staff_count: staff_count ?? 0,
    expires_at: expires_at?.toISOString() ?? null,
  }));
  return { schools, total, filtered };
}

/** Returns whether the school exists. */
export async function hasSchool(db: PlatformDb, schoolId: number): Promise<boolean> {
  const row = await db.tx.selectFrom('schools').select('id').where('id', '=', schoolId).executeTakeFirst();
  return row !== undefined;
}

/** Which of these users are operators. */
export async function listOperatorsAmong(db: PlatformDb, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const rows = await db.tx.selectFrom('operators').select('user_id').where('user_id', 'in', userIds).execute();
  return new Set(rows.map(({ user_id }) => user_id));
}

/** The size of a school. */
export async function countSchool(db: SchoolDb, now: Date): Promise<SchoolState['counts']> {
  const { rows } = await sql<SchoolState['counts']>`
    select
      (select count(*) from classes where school_id = ${db.schoolId}) as classes,
      (select count(*) from pupils where school_id = ${db.schoolId} and archived_at is null) as pupils,
      (select count(*) from invites where school_id = ${db.schoolId} and status = 'pending' and expires_at > ${now}) as pending_invites`.execute(
    db.tx,
  );
  return rows[0] as SchoolState['counts'];
}
