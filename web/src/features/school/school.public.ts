export { schoolInvoicesQuery, schoolQuery, useSchool } from './school.api.ts';
