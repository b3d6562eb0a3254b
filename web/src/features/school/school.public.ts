export { schoolQuery, useIsTeachingOpen, useSchool } from './school.api.ts';
export { termDatesQuery, useSchoolRanges } from './term-dates.api.ts';
