export { emailKey, findLogin, insertUser, lockUser } from './access.queries.ts';
export { getCredentials, setPassword } from './accounts.queries.ts';
export { makeSetUpLink } from './account-activation.service.ts';
export { hasConfirmedEmail, proveEmail, registerUser } from './email-confirmation.service.ts';
export { claimInvites } from './former-address.queries.ts';
export { establishOwner } from './owner.service.ts';
export { LOGIN_FAILURE_JOB, type LoginFailure } from './access.jobs.ts';
export { startSession } from './start-session.service.ts';
export { getColleague } from './staff.access.ts';
export {
  findOperatorName,
  findStaffContact,
  findStaffName,
  findStaffUser,
  listStaff,
  toStaff,
} from './staff.queries.ts';
export { findStaffAccounts, listAdmins, lockMember, type StaffAccount, staffRows } from './staff-accounts.queries.ts';
export { mustEnrol, mustHaveFactor } from './factor-policy.queries.ts';
