import type { Class, School } from '#contract/calls/school.ts';
import { can, type Member } from './can.ts';

type Taught = Pick<Class, 'teachers' | 'assistants'>;
type ClassesOf = keyof Pick<School, 'groups'>;

/** The classes that a user teaches or helps in, which screens show first. Empty for admins and reading leads, who see all. */
export const ownClasses = <Of extends Taught>(
  user: Member & { id: number },
  school: Record<ClassesOf, readonly Of[]> | undefined,
): Of[] =>
  can(user, 'see_all_classes')
    ? []
    : (school?.groups.filter(({ teachers, assistants }) =>
        [...teachers, ...assistants].some(({ id }) => id === user.id),
      ) ?? []);

/** The value of `groups` in the pupils' URL for all classes, where a teacher would see their own. */
export const ALL_CLASSES = 'all';

/** The parameters with which the pupils' URL shows all classes: none for a user without classes of their own. */
export const allClassesParams = (own: readonly unknown[]): Partial<Record<ClassesOf, string>> =>
  own.length > 0 ? { groups: ALL_CLASSES } : {};
