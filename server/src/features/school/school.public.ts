export { recordChange } from './audit.queries.ts';
export { findStaffName, findSubscription, getSchoolRow, getTimeZone, listStaff } from './school.queries.ts';
export { insertContact, insertSchool, insertStaff, insertSubscription, putIntoSchool } from './founding.queries.ts';
