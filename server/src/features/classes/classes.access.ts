import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SchoolDb } from '../../database/school.ts';
import type { StaffMember } from '../../http/pipeline.ts';

/** Ids of the classes of which a person is a teacher, the first or a further one: a subquery. */
export const ownClassIds = (db: SchoolDb, userId: number): RawBuilder<number> =>
  sql<number>`(select id from classes where school_id = ${db.schoolId} and manager_id = ${userId}
    union all select class_id from class_teachers where school_id = ${db.schoolId} and user_id = ${userId})`;

/**
 * Whether a person may act on a class: an admin on every one, a teacher on those of which they are a teacher.
 * @param classId the SQL expression of the class's id
 */
export function managesClass(db: SchoolDb, me: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> {
  return me.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`coalesce(${classId} in ${ownClassIds(db, me.userId)}, false)`;
}

/** Whether a person may act on a pupil: through the class, or because the pupil has none. */
export function managesPupil(db: SchoolDb, me: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> {
  return me.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`(${classId} is null or ${classId} in ${ownClassIds(db, me.userId)})`;
}
