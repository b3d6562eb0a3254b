import type { User } from '#contract/calls/access.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { School } from '#contract/calls/school.ts';
import { roleAllows, schoolActions, type SchoolAction } from '#contract/permissions.ts';

/**
 * What a screen or a button can ask for. `add_school` is for users without a school; with `see_all_classes` screens begin
 * with the whole school, without it with the user's own classes.
 */
export type Right = SchoolAction | 'add_school' | 'see_all_classes';

export type Member = Pick<User, 'enterprise_id' | 'enterprise_user_role'>;

const isForAdminsOnly = (right: SchoolAction): boolean =>
  !(schoolActions[right] as readonly string[]).includes('teacher');

/**
 * True when the person has the right. The school's record has the last word on what only its
 * managers may do (`user_manages`); until it is loaded the person's role answers.
 * Rights over one class or pupil stand on its own record: `user_manages`, `can_update`.
 */
export function can(user: Member, right: Right, school?: Pick<School, 'user_manages'>): boolean {
  if (right === 'add_school') return user.enterprise_id === null;
  if (user.enterprise_id === null || user.enterprise_user_role === null) return false;
  if (right === 'see_all_classes') return user.enterprise_user_role === 'admin';
  if (!roleAllows(user.enterprise_user_role, right)) return false;
  return !(school && isForAdminsOnly(right)) || school.user_manages;
}

/**
 * Whether the person may read notes on a pupil, the pupil's hard words and the reasons why the pupil needs help: admins
 * and the teachers of the pupil's current class.
 */
export const canReadDetails = (user: Member, pupil: Pick<Pupil, 'can_update' | 'group'>): boolean =>
  user.enterprise_user_role === 'admin' || (pupil.can_update && pupil.group !== null);
