export { eraseInEverySchool, eraseOverduePupils, eraseOverdueStaff } from './erasure.service.ts';
export { readErasureList } from './erasure-list.service.ts';
export { iterateDueClosings } from './erasure.queries.ts';
export { type ErasedSchool, eraseSchool } from './school-erasure.service.ts';
export { lockClosing } from './school-erasure.queries.ts';
export { findCurrentOrFormerMember, listFormerMembers } from './former-staff.queries.ts';
export { recordRemoved, type RemovedRows } from './removals.queries.ts';
export { reapplyErasures } from './reapply-erasures.service.ts';
