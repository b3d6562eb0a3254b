export { schoolQuery } from './school.api.ts';
