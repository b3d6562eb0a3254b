import type { User } from '#contract/calls/access.ts';
import type { Class, School } from '#contract/calls/school.ts';

type Taught = Pick<Class, 'teachers'>;
type ClassesOf = keyof Pick<School, 'groups'>;

/** The classes that somebody teaches, which screens show a teacher at first; none of an administrator's, who sees them all. */
export const ownClasses = <Of extends Taught>(
  user: Pick<User, 'id' | 'enterprise_user_role'>,
  school: Record<ClassesOf, readonly Of[]> | undefined,
): Of[] =>
  user.enterprise_user_role === 'admin'
    ? []
    : (school?.groups.filter(({ teachers }) => teachers.some(({ id }) => id === user.id)) ?? []);

/** Stands for everybody in `groups` of an address of the pupils, where a teacher would see the own classes. */
export const ALL_CLASSES = 'all';

/** What an address of the pupils says so that it shows everybody: nothing for somebody without own classes. */
export const everybody = (own: readonly unknown[]): Partial<Record<ClassesOf, string>> =>
  own.length > 0 ? { groups: ALL_CLASSES } : {};
