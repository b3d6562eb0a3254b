import { useQuery } from '@tanstack/react-query';
import { schoolCalls, type School } from '#contract/calls/school.ts';
import { isAreaOpen } from '#contract/school-access.ts';
import { apiQuery } from '../../../shared/api-query.ts';
import type { FirstQueries } from '../../../shared/first-queries.ts';
import { useSchoolId } from '../../../shared/session.ts';

/** The school with its contacts, classes and staff, and invoices for users who manage the subscription. */
export const schoolQuery = (schoolId: number) =>
  apiQuery(schoolCalls.getSchool, { params: { id: schoolId }, query: { include: 'invoices' } });

/** For screens without the main frame, and those that list what the school has: they wait for its changes. */
export const schoolQueries: FirstQueries = ({ schoolId }) => [schoolQuery(schoolId)];

/** The signed-in user's school; undefined until it has loaded. Only for screens behind the guard. */
export const useSchool = (): School | undefined => useQuery(schoolQuery(useSchoolId())).data?.enterprise;

/** False in a closed school, where the server rejects every change except the calls marked `whileClosed`. */
export const useCanChange = (): boolean => useSchool()?.access !== 'closed';

/** False while the school's state closes teaching. */
export function useIsTeachingOpen(): boolean {
  const school = useSchool();
  return school === undefined || isAreaOpen('teaching', school.access);
}

/** False while the school's state closes its settings. */
export function useAreSettingsOpen(): boolean {
  const school = useSchool();
  return school === undefined || isAreaOpen('settings', school.access);
}
