import type { SchoolDb } from './school.ts';

/**
 * Locks the school's row until the transaction ends, so that changes to admins, capacity and purchases run one at a
 * time.
 */
export const lockSchool = (db: SchoolDb): Promise<{ id: number; name: string }> =>
  db.tx
    .selectFrom('schools')
    .select(['id', 'name'])
    .where('id', '=', db.schoolId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
