import type { User } from '#contract/calls/access.ts';
import type { Pupil } from '#contract/calls/pupils.ts';
import type { Class, School } from '#contract/calls/school.ts';
import { roleAllows, roleScopes, schoolActions, type SchoolAction } from '#contract/permissions.ts';
import { currentTime } from './page-scope.ts';

/**
 * What a screen or a button requires. `add_school` is for users without a school. With `see_all_classes` screens
 * start with the whole school, without it with the user's own classes.
 */
export type Right = SchoolAction | 'add_school' | 'see_all_classes';

/** A session that was stored before there were covers has none. */
export type Member = Pick<User, 'enterprise_id' | 'role'> & Partial<Pick<User, 'covers'>>;

type InClass = Pick<Pupil, 'can_update'> & { group: { id: number } | null };

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

/** The user's cover of a class, until it ends. */
export const coverOf = ({ covers }: Member, classId: number | undefined): User['covers'][number] | undefined =>
  covers?.find(({ group_id: id, ends_at }) => id === classId && Date.parse(ends_at) > currentTime());

/** Whether the user can rename a pupil, change the year group, move the pupil or take the pupil out of the class. */
export const canEditPupil = (user: Member, pupil: InClass): boolean =>
  pupil.can_update || coverOf(user, pupil.group?.id) !== undefined;

/** Whether there can be pupils whom the user can edit: those of their own classes, or of classes that they cover. */
export const canEditPupils = (user: Member): boolean =>
  can(user, 'manage_pupils') || (user.covers ?? []).some(({ group_id: id }) => coverOf(user, id));

/** Whether the user can renew a pupil's login. Teaching assistants and supply teachers see no other pupils. */
export const canRenewLogin = (user: Member, pupil: InClass): boolean =>
  canEditPupil(user, pupil) || (scopesOf(user).logins === 'own' && scopesOf(user).pupils === 'own');
