import type { BodyInputOf } from '#contract/call.ts';
import type { teacherCalls } from '#contract/calls/teachers.ts';
import type { Class, School } from '#contract/calls/school.ts';
import { isTeachingRole } from '#contract/permissions.ts';
import { count, fullName } from '../../../../shared/format.ts';

type Staffed = Pick<Class, 'id' | 'name' | 'teachers'>;
type Person = Pick<School['users'][number], 'id' | 'first_name' | 'last_name' | 'role'>;

/** The new teacher chosen for each class, by the class's ID; empty for none. */
export type Choices = Readonly<Record<number, string>>;

/** The classes of someone who leaves: those that no one else teaches, and the others with the names of their other teachers. */
export function listClassesOf(userId: number, classes: readonly Staffed[]) {
  const taught = classes.filter(({ teachers }) => teachers.some(({ id }) => id === userId));
  return {
    taughtAlone: taught.filter(({ teachers }) => teachers.length === 1),
    shared: taught
      .filter(({ teachers }) => teachers.length > 1)
      .map(({ id, name, teachers }) => ({
        id,
        name,
        others: teachers.filter((teacher) => teacher.id !== userId).map(fullName),
      })),
  };
}

/** The colleagues who can take over a class. */
export const listNewTeachers = <P extends Person>(userId: number, staff: readonly P[]): P[] =>
  staff.filter(({ id, role }) => id !== userId && isTeachingRole(role));

/** The classes that get a new teacher. A colleague who has left since they were chosen is no longer a choice. */
export const listHandovers = <P extends Person>(
  choices: Choices,
  classes: readonly Staffed[],
  newTeachers: readonly P[],
) =>
  classes.flatMap((schoolClass) => {
    const teacher = newTeachers.find(({ id }) => String(id) === choices[schoolClass.id]);
    return teacher ? { schoolClass, teacher } : [];
  });
type Handovers = ReturnType<typeof listHandovers>;

export const toLeaverBody = (handovers: Handovers): BodyInputOf<typeof teacherCalls.recordLeaver> => ({
  handovers: handovers.map(({ schoolClass, teacher }) => ({ group_id: schoolClass.id, user_id: teacher.id })),
});

/** How many classes will have no teacher. */
export const describeLeftClasses = (left: number): string | null =>
  left === 0
    ? null
    : `${count(left, 'class', 'classes')} of theirs, with the pupils in ${left === 1 ? 'it' : 'them'}, will have no teacher.`;

/** What has happened, once the person has left. */
export function describeLeaving(member: Person, handovers: Handovers): string {
  const [first] = handovers;
  const left = `${fullName(member)} has been deleted`;
  if (!first) return left;
  return handovers.length === 1
    ? `${left}, and ${fullName(first.teacher)} now teaches ${first.schoolClass.name}`
    : `${left}, and ${count(handovers.length, 'class', 'classes')} have a new teacher`;
}
