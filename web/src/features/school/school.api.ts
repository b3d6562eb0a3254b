import { useQuery } from '@tanstack/react-query';
import { getSchool, type Enterprise } from '#contract/calls/school.ts';
import { queryOf } from '../../shared/api-query.ts';
import { useSchoolId } from '../../shared/use-session.ts';

/** The school with its contacts, classes and staff. */
export const schoolQuery = (schoolId: number) => queryOf(getSchool, { params: { id: schoolId } });

/** The signed-in person's school; undefined until it is loaded. Only for screens behind the guard. */
export const useSchool = (): Enterprise | undefined => useQuery(schoolQuery(useSchoolId())).data?.enterprise;
