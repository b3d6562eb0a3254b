import type { FactorRecovery } from '#contract/calls/factor-recovery.ts';
import { DAY_MS } from '../../../clock.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';

/** How long another operator has to confirm a request. */
const CONFIRMATION_MS = 7 * DAY_MS;

/** The request to remove the factors of an account. */
export const findRecovery = (db: PlatformDb, userId: number) =>
  db.tx.selectFrom('factor_recoveries').selectAll().where('user_id', '=', userId).executeTakeFirst();

/** All requests, oldest first. */
export async function listRecoveries(db: PlatformDb): Promise<FactorRecovery[]> {
  const rows = await db.tx
    .selectFrom('factor_recoveries as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .innerJoin('users as o', 'o.id', 'r.requested_by')
    .select(['r.user_id', 'r.requested_by', 'r.identity_check', 'r.requested_at', 'r.due_at'])
    .select([
      'u.first_name',
      'u.last_name',
      'u.email',
      'o.first_name as operator_first',
      'o.last_name as operator_last',
    ])
    .orderBy('r.requested_at')
    .orderBy('r.user_id')
    .execute();
  return rows.map((row) => ({
    user: { id: row.user_id, full_name: `${row.first_name} ${row.last_name}`, email: row.email },
    requested_by: { id: row.requested_by, full_name: `${row.operator_first} ${row.operator_last}` },
    identity_check: row.identity_check,
    requested_at: row.requested_at.toISOString(),
    due_at: row.due_at?.toISOString() ?? null,
  }));
}

/** Stores a request. Returns false when the account has one. */
export async function insertRecovery(
  db: PlatformDb,
  request: { userId: number; operatorId: number; identityCheck: FactorRecovery['identity_check'] },
  now: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db.tx
    .insertInto('factor_recoveries')
    .values({
      user_id: request.userId,
      requested_by: request.operatorId,
      identity_check: request.identityCheck,
      requested_at: now,
    })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Confirms a request of another operator. Of simultaneous confirmations, one succeeds. */
export async function setRecoveryConfirmed(
  db: PlatformDb,
  { userId, operatorId, dueAt }: { userId: number; operatorId: number; dueAt: Date },
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await db.tx
    .updateTable('factor_recoveries')
    .set({ confirmed_by: operatorId, due_at: dueAt })
    .where('user_id', '=', userId)
    .where('requested_by', '!=', operatorId)
    .where('confirmed_by', 'is', null)
    .where('requested_at', '>', new Date(now.getTime() - CONFIRMATION_MS))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Removes a request. Returns false when there is none. */
export async function removeRecovery(db: PlatformDb, userId: number): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('factor_recoveries')
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** Removes a confirmed request whose time has come. Of simultaneous removals, one succeeds. */
export async function takeDueRecovery(db: PlatformDb, userId: number, now: Date): Promise<boolean> {
  const { numDeletedRows } = await db.tx
    .deleteFrom('factor_recoveries')
    .where('user_id', '=', userId)
    .where('due_at', '<=', now)
    .executeTakeFirst();
  return numDeletedRows === 1n;
}

/** The accounts whose factors are to be removed by now. */
export async function listDueRecoveries(db: PlatformDb, now: Date): Promise<number[]> {
  const rows = await db.tx
    .selectFrom('factor_recoveries')
    .select('user_id')
    .where('due_at', '<=', now)
    .limit(100)
    .execute();
  return rows.map(({ user_id }) => user_id);
}

/** Deletes requests that another operator did not confirm in time. */
export async function deleteExpiredRecoveries(db: PlatformDb, now: Date): Promise<void> {
  await db.tx
    .deleteFrom('factor_recoveries')
    .where('due_at', 'is', null)
    .where('requested_at', '<=', new Date(now.getTime() - CONFIRMATION_MS))
    .execute();
}
