export { recordChange } from './audit.queries.ts';
export { findStaffName, getTimeZone } from './school.queries.ts';
export { insertContact, insertSchool, insertStaff, insertSubscription } from './founding.queries.ts';
