export { insertSupplyTeacher, saveCover } from './covers.queries.ts';
