import { type Selectable, sql } from 'kysely';
import { withPlatform } from '../../../database/platform.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import type { SchoolDb } from '../../../database/school.ts';
import type { Tables } from '../../../database/tables.ts';

export type AdminRequestRow = Selectable<Tables['admin_requests']>;

/** The school's request to appoint an admin, locked until the transaction ends. */
export const lockRequest = (db: SchoolDb): Promise<AdminRequestRow | undefined> =>
  db.tx.selectFrom('admin_requests').selectAll().where('school_id', '=', db.schoolId).forUpdate().executeTakeFirst();

/** Stores a request. Returns its ID; undefined when the school has one. */
export async function insertRequest(
  db: SchoolDb,
  request: Pick<AdminRequestRow, 'requested_by' | 'new_admin_id' | 'former_admin_ids' | 'note' | 'requested_at'>,
): Promise<number | undefined> {
  const row = await db.tx
    .insertInto('admin_requests')
    .values({ school_id: db.schoolId, ...request })
    .onConflict((conflict) => conflict.column('school_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Changes the request of the school, which the caller has locked. */
export async function updateRequest(
  db: SchoolDb,
  change: Partial<Pick<AdminRequestRow, 'checked_by' | 'checked_at' | 'check_note' | 'confirmed_by' | 'due_at'>>,
): Promise<void> {
  await db.tx.updateTable('admin_requests').set(change).where('school_id', '=', db.schoolId).execute();
}

/** Deletes the request of the school. */
export async function deleteRequest(db: SchoolDb): Promise<void> {
  await db.tx.deleteFrom('admin_requests').where('school_id', '=', db.schoolId).execute();
}

/** At most this many requests are open at once. */
const MAX_OPEN = 1000;

/** The open requests of all schools, oldest first. */
export const listOpenRequests = (db: PlatformDb) =>
  db.tx
    .selectFrom('admin_requests as r')
    .innerJoin('schools as s', 's.id', 'r.school_id')
    .selectAll('r')
    .select('s.name as school_name')
    .orderBy('r.requested_at')
    .orderBy('r.school_id')
    .limit(MAX_OPEN)
    .execute();

/** Whether a school has this request. */
export async function hasRequest(db: PlatformDb, schoolId: number, requestId: number): Promise<boolean> {
  const row = await db.tx
    .selectFrom('admin_requests')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', '=', requestId)
    .executeTakeFirst();
  return row !== undefined;
}

/** When these members of staff last used the school, by ID, as far as logins and sessions show. */
export async function listLastUses(db: SchoolDb, userIds: readonly number[]): Promise<Map<number, Date>> {
  const ids = [...userIds];
  const logins = await db.tx
    .selectFrom('login_events')
    .select(['user_id', sql<Date>`max(at)`.as('at')])
    .where('school_id', '=', db.schoolId)
    .where('user_id', 'in', ids)
    .groupBy('user_id')
    .execute();
  const sessions = await withPlatform(db, ({ tx }) =>
    tx
      .selectFrom('sessions')
      .select(['user_id', sql<Date>`max(last_used_at)`.as('at')])
      .where('school_id', '=', db.schoolId)
      .where('user_id', 'in', ids)
      .where('impersonator_id', 'is', null)
      .groupBy('user_id')
      .execute(),
  );
  const latest = new Map<number, Date>();
  for (const { user_id: userId, at } of [...logins, ...sessions])
    if (userId !== null && at > (latest.get(userId) ?? new Date(0))) latest.set(userId, at);
  return latest;
}
