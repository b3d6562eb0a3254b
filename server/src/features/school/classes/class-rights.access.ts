import { roleScopes, type Scope } from '#contract/permissions.ts';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SchoolDb } from '../../../database/school.ts';
import type { StaffMember } from '../../../context.ts';

/** A subquery for the IDs of the classes that a user teaches or helps in, without those that they cover. */
export const ownClassIds = (db: SchoolDb, userId: number): RawBuilder<number> =>
  sql<number>`(select id from classes where school_id = ${db.schoolId} and manager_id = ${userId}
    union all select class_id from class_teachers where school_id = ${db.schoolId} and user_id = ${userId})`;

/** Whether a class is one of those to which a right of a user applies. Pupils without a class are only of the school's. */
function isInScope(
  db: SchoolDb,
  { userId, program }: StaffMember,
  scope: Scope,
  classId: Expression<unknown>,
): RawBuilder<boolean> {
  if (program?.classIds && scope !== 'none')
    return sql<boolean>`coalesce(${classId} = any(${[...program.classIds]}::bigint[]), false)`;
  if (scope === 'own') return sql<boolean>`coalesce(${classId} in ${ownClassIds(db, userId)}, false)`;
  return scope === 'school' ? sql<boolean>`true` : sql<boolean>`false`;
}

/** Whether a user covers a class now. */
export const isCovered = ({ covers }: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> =>
  covers.length === 0 ? sql<boolean>`false` : sql<boolean>`coalesce(${classId} = any(${[...covers]}::bigint[]), false)`;

/**
 * Whether a user can see a class and its pupils.
 * @param classId the SQL expression for the class's ID, also below
 */
export function canSeeClass(db: SchoolDb, me: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> {
  const canSee = isInScope(db, me, roleScopes[me.role].pupils, classId);
  return me.covers.length === 0 ? canSee : sql<boolean>`(${canSee} or ${isCovered(me, classId)})`;
}

/** Whether a user can read the notes, tags, hard words and reasons of the pupils of a class: see docs/permissions.md. */
export const canReadClassDetails = (db: SchoolDb, me: StaffMember, classId: Expression<unknown>) =>
  isInScope(db, me, detailScope(me), classId);

/** The classes whose pupils' notes, tags, hard words and reasons someone can read. A program reads none. */
export const detailScope = ({ role, program }: StaffMember): Scope => (program ? 'none' : roleScopes[role].details);

/** Whether a user can change a class. */
export const canChangeClass = (db: SchoolDb, me: StaffMember, classId: Expression<unknown>) =>
  isInScope(db, me, roleScopes[me.role].changes, classId);

/** Whether a user can change a pupil: one of a class that they can change, or without a class unless they change none. */
export const canChangePupil = (db: SchoolDb, me: StaffMember, classId: Expression<unknown>): RawBuilder<boolean> =>
  roleScopes[me.role].changes === 'own'
    ? sql<boolean>`(${classId} is null or ${classId} in ${ownClassIds(db, me.userId)})`
    : canChangeClass(db, me, classId);
