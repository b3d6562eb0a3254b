import type { User } from '#contract/calls/access.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { School } from '#contract/calls/school.ts';
import { roleAllows, schoolActions, type SchoolAction } from '#contract/permissions.ts';

/**
 * What a screen or a button requires. `add_school` is for users without a school. With `see_all_classes` screens
 * start with the whole school, without it with the user's own classes.
 */
export type Right = SchoolAction | 'add_school' | 'see_all_classes';

export type Member = Pick<User, 'enterprise_id' | 'enterprise_user_role'>;

const isForAdminsOnly = (right: SchoolAction): boolean =>
  !(schoolActions[right] as readonly string[]).includes('teacher');

/**
 * Whether the user has the right. The school's record decides rights that only managers have (`user_manages`); until
 * it has loaded the role decides. Rights to one class or pupil are on its own record: `user_manages`, `can_update`.
 */
export function can(user: Member, right: Right, school?: Pick<School, 'user_manages'>): boolean {
  if (right === 'add_school') return user.enterprise_id === null;
  if (user.enterprise_id === null || user.enterprise_user_role === null) return false;
  if (right === 'see_all_classes') return user.enterprise_user_role === 'admin';
  if (!roleAllows(user.enterprise_user_role, right)) return false;
  return !(school && isForAdminsOnly(right)) || school.user_manages;
}

/**
 * Whether the user may read notes on a pupil, the pupil's hard words and the reasons why the pupil needs help: admins
 * and the teachers of the pupil's current class.
 */
export const canReadDetails = (user: Member, pupil: Pick<Pupil, 'can_update' | 'group'>): boolean =>
  user.enterprise_user_role === 'admin' || (pupil.can_update && pupil.group !== null);
