import { inIds } from '../../../database/in-ids.ts';
import type { SchoolDb } from '../../../database/school.ts';

/** The pupils of the classes. */
export const listPupilsOf = (db: SchoolDb, classIds: readonly number[]) =>
  db.tx
    .selectFrom('pupils')
    .select(['id', 'class_id'])
    .where('school_id', '=', db.schoolId)
    .where(inIds('class_id', classIds))
    .orderBy('id')
    .execute();
