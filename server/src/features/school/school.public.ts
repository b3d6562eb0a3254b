export { findStaffName, findSubscription, getSchoolRow, listStaff, updateSchoolRow } from './school.queries.ts';
export { insertContact, insertSchool, insertStaff, insertSubscription, putIntoSchool } from './registration.queries.ts';
