import type { Class } from '#contract/calls/school.ts';
import { fullName } from '../../../../shared/format.ts';

/** Who can change a class: `Tom Finch or an admin`. */
export const whoCanChange = ({ teachers }: Pick<Class, 'teachers'>): string =>
  teachers.length > 0 ? `${teachers.map(fullName).join(', ')} or an admin` : 'an admin';
