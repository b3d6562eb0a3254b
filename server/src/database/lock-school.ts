import type { SchoolDb } from './school.ts';

/**
 * Locks the school's row until the transaction ends, so that changes of admins, capacity and purchases run one after
 * the other and each sees what the one before did.
 */
export const lockSchool = (db: SchoolDb): Promise<{ id: number; name: string }> =>
  db.tx
    .selectFrom('schools')
    .select(['id', 'name'])
    .where('id', '=', db.schoolId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
