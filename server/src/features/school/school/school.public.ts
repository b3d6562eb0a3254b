export { getSchoolRow, type SchoolRow, updateSchoolRow } from './school.queries.ts';
export { insertSchool, insertStaff, joinUserSchool } from './registration.queries.ts';
export { getSchoolWithStatistics, hasNewStatistics } from './new-statistics.access.ts';
export { getCalendar, getOwnTerms } from './term-dates.queries.ts';
export { findUnaskedRecipients, maySendUnasked } from './unasked-mail.service.ts';
export { hoursOf } from './school-hours.service.ts';
