import { getSchool } from '#contract/calls/school.ts';
import { queryOf } from '../../shared/query-of.ts';

/** The school with its contacts, classes and staff. */
export const schoolQuery = (schoolId: number) => queryOf(getSchool, { params: { id: schoolId } });
