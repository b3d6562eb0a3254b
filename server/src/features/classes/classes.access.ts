import { type Expression, type RawBuilder, sql } from 'kysely';
import type { StaffMember, StaffSession } from '../../http/pipeline.ts';

/**
 * Whether a person may act on a class: an admin on every one, a teacher on those that they manage.
 * @param managerId the SQL expression of the class's manager
 */
export function managesClass(me: StaffMember, managerId: Expression<unknown>): RawBuilder<boolean> {
  return me.role === 'admin' ? sql<boolean>`true` : sql<boolean>`coalesce(${managerId} = ${me.userId}, false)`;
}

/** Whether a person may act on a pupil: through the class, or because the pupil has none. */
export function managesPupil(
  me: StaffSession,
  classId: Expression<unknown>,
  managerId: Expression<unknown>,
): RawBuilder<boolean> {
  return me.role === 'admin'
    ? sql<boolean>`true`
    : sql<boolean>`(${classId} is null or coalesce(${managerId} = ${me.userId}, false))`;
}
