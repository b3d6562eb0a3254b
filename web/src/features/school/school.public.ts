export { schoolQuery, useSchool } from './school.api.ts';
