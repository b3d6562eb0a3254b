import type { Class } from '#contract/calls/school.ts';
import { hasClasses, isTeachingRole, type Role } from '#contract/permissions.ts';
import { listInWords } from '../../../../shared/format.ts';

type Staffed = Pick<Class, 'name' | 'teachers' | 'assistants'>;

const has = (people: readonly { id: number }[], userId: number): boolean => people.some(({ id }) => id === userId);
const namesOf = (classes: readonly Staffed[]): string => listInWords(classes.map(({ name }) => name));

/** What a new role means for a colleague beyond its summary: what happens to their classes, and that an admin has every right. */
export function describeRoleChange(
  { id, first_name: name }: { id: number; first_name: string },
  role: Role,
  classes: readonly Staffed[],
): string | null {
  const taught = classes.filter(({ teachers }) => has(teachers, id));
  const all = classes.filter(({ teachers, assistants }) => has([...teachers, ...assistants], id));
  if (role === 'admin')
    return `${name} will be able to delete pupils and staff for good. You can change the role back at any time.`;
  if (!hasClasses(role)) return all.length > 0 ? `${name} leaves ${namesOf(all)}.` : null;
  if (isTeachingRole(role) || taught.length === 0) return null;
  return `${name} stays in ${namesOf(taught)} to help, but is no longer ${taught.length === 1 ? 'its teacher' : 'their teacher'}.`;
}
