export { getSchoolRow, updateSchoolRow } from './school.queries.ts';
export { insertSchool, insertStaff, joinUserSchool } from './registration.queries.ts';
export { getSchoolWithStatistics } from './new-statistics.access.ts';
export { getCalendar, listOwnYears } from './term-dates.queries.ts';
