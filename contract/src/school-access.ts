/**
 * The state of a school's subscription: `open` it is active · `none` the school never had one · `expired` it has ended ·
 * `locked` an invoice is unpaid past its due date.
 */
export type SchoolAccess = 'open' | 'none' | 'expired' | 'locked';

/** The state. A debt takes precedence: until it is paid nothing new can be bought. */
export function schoolAccess(school: {
  hasSubscription: boolean;
  hasExpired: boolean;
  hasOutstandingInvoice: boolean;
}): SchoolAccess {
  if (school.hasOutstandingInvoice) return 'locked';
  if (!school.hasSubscription) return 'none';
  return school.hasExpired ? 'expired' : 'open';
}

/**
 * What a call or a screen of a school is for:
 * `billing` subscription, invoices, contacts · `account` the person and the name of their school · `help` the help area and contact ·
 * `staff` removing and demoting staff, withdrawing invitations · `pupil-logins` names, usernames and classes for resetting passwords ·
 * `records` the export, erasure and the audit log · `teaching` everything else: classes, books and all reading data.
 */
export type Area = 'billing' | 'account' | 'help' | 'staff' | 'pupil-logins' | 'records' | 'teaching';

/** A school that does not pay loses its lessons, never its duties: it can shut people out, answer parents and leave with its data. */
const DUTIES = ['billing', 'account', 'help', 'staff', 'pupil-logins', 'records'] as const;

/** The areas that staff can use in each state. Enforced by the server for each call and by the web app for each screen. */
export const OPEN_AREAS: Readonly<Record<SchoolAccess, readonly Area[]>> = {
  open: [...DUTIES, 'teaching'],
  none: DUTIES,
  expired: DUTIES,
  locked: DUTIES,
};

/** True when staff of a school in this state can use the area. */
export const isAreaOpen = (area: Area, access: SchoolAccess): boolean => OPEN_AREAS[access].includes(area);
