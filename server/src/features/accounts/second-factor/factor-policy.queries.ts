import type { FactorPolicy } from '../../../auth/factor-policy.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** From when staff of the school need a second factor, in its time zone. */
export const getFactorPolicy = (db: SchoolDb): Promise<FactorPolicy> =>
  db.tx
    .selectFrom('schools')
    .select(['admins_factor_from', 'teachers_factor_from', 'time_zone'])
    .where('id', '=', db.schoolId)
    .executeTakeFirstOrThrow();

export async function setFactorPolicy(
  db: SchoolDb,
  { admins, teachers }: { admins: string | null; teachers: string | null },
): Promise<void> {
  await db.tx
    .updateTable('schools')
    .set({ admins_factor_from: admins, teachers_factor_from: teachers })
    .where('id', '=', db.schoolId)
    .execute();
}
