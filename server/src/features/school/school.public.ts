export { recordChange } from './audit.queries.ts';
export { getTimeZone } from './school.queries.ts';
export { insertContact, insertSchool, insertStaff, insertSubscription } from './founding.queries.ts';
