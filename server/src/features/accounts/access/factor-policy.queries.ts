import type { Role } from '#contract/permissions.ts';
import { sql } from 'kysely';
import { type FactorPolicy, needsFactor } from '../../../auth/factor-policy.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';

/**
 * Returns whether a login without a factor must add one before it enters the school. An account with an unconfirmed address, which may be a stranger's,
 * confirms it first.
 */
export const mustEnrol = async (
  db: PlatformDb,
  account: { id: number; email_confirmed_at: Date | null },
  schoolId: number | null,
  now: Date,
): Promise<boolean> =>
  account.email_confirmed_at !== null &&
  mustHaveFactor(db, { id: account.id, schoolIds: schoolId === null ? [] : [schoolId] }, now);

/** Returns whether an account must have a second factor by now: an operator's always, others by the policy of any of these schools. */
export async function mustHaveFactor(
  db: PlatformDb,
  { id, schoolIds }: { id: number; schoolIds: readonly number[] },
  now: Date,
): Promise<boolean> {
  const operator = await db.tx.selectFrom('operators').select('user_id').where('user_id', '=', id).executeTakeFirst();
  if (operator) return true;
  for (const schoolId of schoolIds) {
    // In the school's own scope: on a cluster only that scope can read what the transaction has written.
    const isNeeded = await withSchool(db, schoolId, async ({ tx }) => {
      const { rows } = await sql<FactorPolicy & { role: Role }>`
        select m.role, s.admins_factor_from, s.teachers_factor_from, s.time_zone
        from staff m join schools s on s.id = ${schoolId}
        where m.school_id = ${schoolId} and m.user_id = ${id} and m.until is null`.execute(tx);
      return rows[0] !== undefined && needsFactor(rows[0].role, rows[0], now);
    });
    if (isNeeded) return true;
  }
  return false;
}
