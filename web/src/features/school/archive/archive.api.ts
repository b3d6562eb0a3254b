import { can } from '../../../shared/can.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { deletedClassesQuery } from '../classes/deleted-classes.public.ts';
import { archiveQuery } from '../pupils/archived-pupils.public.ts';

export const archivePageQueries: FirstQueries = ({ user, schoolId }) => [
  ...(can(user, 'delete_pupil') ? [archiveQuery(schoolId)] : []),
  deletedClassesQuery(schoolId),
];
