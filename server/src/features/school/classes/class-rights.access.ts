import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember } from '../../../context.ts';

/** A subquery for the IDs of the classes of which a user is the first or a further teacher. */
export const ownClassIds = (db: SchoolDb, userId: number): RawBuilder<number> =>
  sql<number>`(select id from classes where school_id = ${db.schoolId} and manager_id = ${userId}
    union all select class_id from class_teachers where school_id = ${db.schoolId} and user_id = ${userId})`;

/**
 * Whether a user can change a class: admins all classes, teachers their own.
 * @param classId the SQL expression for the class's ID
 */
export function canChangeClass(db: SchoolDb, me: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> {
  return me.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`coalesce(${classId} in ${ownClassIds(db, me.userId)}, false)`;
}

/** Whether a user can change a pupil: a pupil of a class that they can change, or one without a class. */
export function canChangePupil(db: SchoolDb, me: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> {
  return me.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`(${classId} is null or ${classId} in ${ownClassIds(db, me.userId)})`;
}
