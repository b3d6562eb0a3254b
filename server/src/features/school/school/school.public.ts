export { getSchoolRow, updateSchoolRow } from './school.queries.ts';
export { insertSchool, insertStaff, setUserSchool } from './registration.queries.ts';
export { getSchoolWithStatistics } from './school.access.ts';
export { getCalendar, listOwnYears } from './term-dates.queries.ts';
