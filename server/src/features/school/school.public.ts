export { getSchoolRow, lockSchool, updateSchoolRow } from './school.queries.ts';
export { insertSchool, insertStaff, putIntoSchool } from './registration.queries.ts';
export { hasNewStatistics } from './school.service.ts';
export { getCalendar } from './term-dates.queries.ts';
