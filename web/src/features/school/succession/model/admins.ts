import type { School } from '#contract/calls/school.ts';
import { fullName } from '../../../../shared/format.ts';

/** The admins of a school. */
export const adminsOf = ({ users }: Pick<School, 'users'>): School['users'] =>
  users.filter(({ enterprise_user_role: role }) => role === 'admin');

/** The names of the admins as alternatives: Ada Okafor, Ben Price or Cleo Marsh. */
export function adminsInWords(school: Pick<School, 'users'>): string {
  const names = adminsOf(school).map(fullName);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
