export {
  findStaffName,
  findSubscription,
  getSchoolRow,
  listStaff,
  lockSchool,
  updateSchoolRow,
} from './school.queries.ts';
export { insertSchool, insertStaff, insertSubscription, putIntoSchool, saveContact } from './registration.queries.ts';
