import type { School } from '#contract/calls/school.ts';
import { fullName, listInWords } from '../../../../shared/format.ts';

/** The admins of a school. */
export const adminsOf = ({ users }: Pick<School, 'users'>): School['users'] =>
  users.filter(({ enterprise_user_role: role }) => role === 'admin');

/** Has Ada Okafor left? Have Ada Okafor and Ben Price left? */
export const haveTheyLeft = (admins: School['users']): string =>
  `${admins.length === 1 ? 'Has' : 'Have'} ${listInWords(admins.map(fullName))} left?`;

/** The names of the admins as alternatives: Ada Okafor, Ben Price or Cleo Marsh. */
export function adminsInWords(school: Pick<School, 'users'>): string {
  const names = adminsOf(school).map(fullName);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
}
