import type { Role } from '#contract/permissions.ts';
import { sql } from 'kysely';
import { type FactorPolicy, needsFactor } from '../../../auth/factor-policy.ts';
import { needsProvider, type ProviderPolicy } from '../../../auth/provider-policy.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { withSchool } from '../../../database/school.ts';

/** A login that asks whether a factor must be added to its account. */
interface Entry {
  id: number;
  email_confirmed_at: Date | null;
  isFromProvider: boolean;
}

/**
 * Returns whether a login without a factor must add one before it enters the school. An account with an unconfirmed address,
 * which may be a stranger's, confirms it first. Staff who must use a provider do it there first.
 */
export const mustEnrol = async (
  db: PlatformDb,
  { id, email_confirmed_at, isFromProvider }: Entry,
  schoolId: number | null,
  now: Date,
): Promise<boolean> =>
  email_confirmed_at !== null &&
  mustHaveFactor(db, { id, schoolIds: schoolId === null ? [] : [schoolId], isFromProvider }, now);

/**
 * Returns whether an account must have a second factor by now: an operator's always, others by the policy of any of these
 * schools.
 * @param isFromProvider false for a login that opens nothing of a school whose staff must use a provider
 */
export async function mustHaveFactor(
  db: PlatformDb,
  { id, schoolIds, isFromProvider = true }: { id: number; schoolIds: readonly number[]; isFromProvider?: boolean },
  now: Date,
): Promise<boolean> {
  const operator = await db.tx.selectFrom('operators').select('user_id').where('user_id', '=', id).executeTakeFirst();
  if (operator) return true;
  for (const schoolId of schoolIds) {
    // In the school's own scope: on a cluster only that scope can read what the transaction has written.
    const isNeeded = await withSchool(db, schoolId, async ({ tx }) => {
      const { rows } = await sql<FactorPolicy & ProviderPolicy & { role: Role }>`
        select m.role, s.admins_factor_from, s.teachers_factor_from, s.time_zone, s.is_provider_only
        from staff m join schools s on s.id = ${schoolId}
        where m.school_id = ${schoolId} and m.user_id = ${id} and m.until is null`.execute(tx);
      const [member] = rows;
      if (!member || (!isFromProvider && needsProvider(member.role, member))) return false;
      return needsFactor(member.role, member, now);
    });
    if (isNeeded) return true;
  }
  return false;
}
