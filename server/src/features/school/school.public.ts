export { getSchoolRow, lockSchool, updateSchoolRow } from './school.queries.ts';
export { insertSchool, insertStaff, putIntoSchool } from './registration.queries.ts';
