import { roleScopes } from '#contract/permissions.ts';
import { type RawBuilder, sql } from 'kysely';
import type { StaffMember } from '../../../context.ts';
import type { SchoolDb } from '../../../database/school.ts';
import { canSeeClass } from '../classes/classes.public.ts';

/** A subquery for the IDs of the pupils whom a teaching assistant helps outside their classes. */
export const helpedPupilIds = (db: SchoolDb, userId: number): RawBuilder<number> =>
  sql<number>`(select pupil_id from pupil_assistants where school_id = ${db.schoolId} and user_id = ${userId})`;

/** Whether the caller can see a pupil, who is `p` in the statement. */
export function canSeePupil(db: SchoolDb, me: StaffMember): RawBuilder<boolean> {
  const canSee = canSeeClass(db, me, sql`p.class_id`);
  return roleScopes[me.role].pupils === 'own'
    ? sql<boolean>`(${canSee} or p.id in ${helpedPupilIds(db, me.userId)})`
    : canSee;
}

/** Whether a right of the caller applies to every pupil whom they can see, and not to those alone whom they can change. */
export const isEveryVisiblePupil = ({ role }: StaffMember, right: 'logins' | 'books'): boolean =>
  roleScopes[role][right] === roleScopes[role].pupils;
