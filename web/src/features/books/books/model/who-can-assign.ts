import type { Class, School } from '#contract/calls/school.ts';
import { fullName } from '../../../../shared/format.ts';

/** Who can change the books of a class, with the school's reading leads: `Tom Finch, Rae Lund or an admin`. */
export function whoCanAssign(
  teachers: Class['teachers'],
  staff: readonly Pick<School['users'][number], 'id' | 'role' | 'first_name' | 'last_name'>[],
): string {
  const leads = staff.filter(
    ({ id, role }) => role === 'reading_lead' && !teachers.some((teacher) => teacher.id === id),
  );
  const names = [...teachers, ...leads].map(fullName);
  return names.length > 0 ? `${names.join(', ')} or an admin` : 'an admin';
}
