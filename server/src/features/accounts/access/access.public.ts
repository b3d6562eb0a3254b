export { emailKey, findLogin, getUser, insertUser, lockUser } from './access.queries.ts';
export { getCredentials, setPassword } from './accounts.queries.ts';
export { makeSetUpLink } from './accounts.service.ts';
export { hasConfirmedEmail, proveEmail, registerUser } from './email-confirmation.service.ts';
export { claimInvites } from './email-change.queries.ts';
export { LOGIN_FAILURE_JOB, type LoginFailure } from './access.jobs.ts';
export { establishOwner, startSession } from './sessions.service.ts';
export { getColleague } from './staff.access.ts';
export {
  findOperatorName,
  findStaffAccounts,
  findStaffContact,
  findStaffName,
  findStaffUser,
  listAdmins,
  listStaffAllowed,
  listStaff,
  lockMember,
  type StaffAccount,
  staffRows,
  toStaff,
} from './staff.queries.ts';
export { mustEnrol, mustHaveFactor } from './factor-policy.queries.ts';
