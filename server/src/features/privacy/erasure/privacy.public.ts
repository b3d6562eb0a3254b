export { eraseAccount, eraseInEverySchool, type ErasureConfig, erasePupil } from './erasure.service.ts';
export { digestsOf, type ListedErasure, readErasureList } from './erasure-list.service.ts';
export {
  clearDetailsAbout,
  listDueClosings,
  listPupilsAfter,
  listSchoolsToErase,
  listUsersAfter,
} from './erasure.queries.ts';
export { type ErasedSchool, eraseSchool } from './school-erasure.service.ts';
export { lockClosing } from './school-erasure.queries.ts';
export { describeHoldings, replaceRetentionTable, titleOf } from '../registry/holdings.service.ts';
export { getPeriodDays, listPeriodsOfSchool } from '../retention/retention.queries.ts';
export { canEraseByClock, carryOutRetention } from '../retention/retention.service.ts';
