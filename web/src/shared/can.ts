import type { User } from '#contract/calls/access.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class, School } from '#contract/calls/school.ts';
import { roleAllows, roleScopes, schoolActions, type SchoolAction } from '#contract/permissions.ts';

/**
 * What a screen or a button requires. `add_school` is for users without a school. With `see_all_classes` screens
 * start with the whole school, without it with the user's own classes.
 */
export type Right = SchoolAction | 'add_school' | 'see_all_classes';

export type Member = Pick<User, 'enterprise_id' | 'role'>;

const isForTeachers = (right: SchoolAction): boolean => (schoolActions[right] as readonly string[]).includes('teacher');

/**
 * Whether the user has the right. The school's record decides an admin's rights that teachers lack (`user_manages`);
 * until it has loaded the role decides. Rights to one class or pupil are on its own record: `user_manages`, `can_update`.
 */
export function can(
  { enterprise_id: schoolId, role }: Member,
  right: Right,
  school?: Pick<School, 'user_manages'>,
): boolean {
  if (right === 'add_school') return schoolId === null;
  if (schoolId === null || role === null) return false;
  if (right === 'see_all_classes') return roleScopes[role].details === 'school';
  if (!roleAllows(role, right)) return false;
  return role !== 'admin' || isForTeachers(right) || school === undefined || school.user_manages;
}

const scopesOf = ({ role }: Member) => roleScopes[role ?? 'data_protection_officer'];

/** Whether the user sees every class and pupil of the school. Others see those of their own classes, or none. */
export const canSeeSchool = (user: Member): boolean => scopesOf(user).pupils === 'school';

/**
 * Whether the user can read notes on a pupil, the pupil's tags and hard words and the reasons why the pupil needs help:
 * admins, reading leads and the teachers of the pupil's current class.
 */
export function canReadDetails(user: Member, pupil: Pick<Pupil, 'can_update' | 'group'>): boolean {
  const { details } = scopesOf(user);
  return details === 'school' || (details === 'own' && pupil.can_update && pupil.group !== null);
}

/** Whether the user can read these details of the pupils of a class. */
export function canReadClassDetails(user: Member, { user_manages: canChange }: Pick<Class, 'user_manages'>): boolean {
  const { details } = scopesOf(user);
  return details === 'school' || (details === 'own' && canChange);
}

/** Whether the user can assign books to the pupils of a class, or to a pupil. */
export const canAssignBooks = (user: Member, canChange: boolean): boolean =>
  scopesOf(user).books === 'school' || (scopesOf(user).books === 'own' && canChange);

/** Whether the user can renew a pupil's login: a teaching assistant sees the pupils of their own classes alone. */
export const canRenewLogin = (user: Member, pupil: Pick<Pupil, 'can_update'>): boolean =>
  pupil.can_update || (scopesOf(user).logins === 'own' && scopesOf(user).pupils === 'own');
