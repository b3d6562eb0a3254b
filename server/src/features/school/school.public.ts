export { findSubscription, getSchoolRow, lockSchool, updateSchoolRow } from './school.queries.ts';
export { insertSchool, insertStaff, insertSubscription, putIntoSchool, saveContact } from './registration.queries.ts';
