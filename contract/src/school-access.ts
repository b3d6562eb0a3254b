/**
 * What a session can use. The state of the school's subscription: `open`: active. `none`: the school never had one.
 * `expired`: it has ended. `locked`: an invoice is overdue. `closed`, in any of these: the school has closed, and its
 * staff can read and export everything, and change nothing, until it is reopened or erased. In a session of support,
 * `support`: no admin of the school allows support to see data about children.
 */
export type SchoolAccess = SubscriptionState | 'closed' | 'support';
export type SubscriptionState = 'open' | 'none' | 'expired' | 'locked';

/** Derives the state. A closed school is closed whatever it owes. Otherwise an overdue invoice takes precedence: until it is paid, nothing new can be bought. */
export function schoolAccess(school: {
  isClosed: boolean;
  hasSubscription: boolean;
  hasExpired: boolean;
  hasOutstandingInvoice: boolean;
}): SubscriptionState | 'closed' {
  if (school.isClosed) return 'closed';
  if (school.hasOutstandingInvoice) return 'locked';
  if (!school.hasSubscription) return 'none';
  return school.hasExpired ? 'expired' : 'open';
}

/**
 * The area of the product that a call or screen belongs to:
 * `billing` subscription, invoices, contacts · `account` the person and the name of their school · `help` the help area and contact ·
 * `staff` removing and demoting staff, withdrawing invitations · `pupil-logins` names, usernames and classes for resetting passwords ·
 * `records` the export, erasure and the audit log · `settings` the school's settings, without data about children ·
 * `teaching` everything else: classes, books and all reading data.
 */
export type Area = 'billing' | 'account' | 'help' | 'staff' | 'pupil-logins' | 'records' | 'settings' | 'teaching';

/** Areas that stay open to a school that does not pay: it must still be able to remove staff, answer parents and export its data. */
const ALWAYS_OPEN = ['billing', 'account', 'help', 'staff', 'pupil-logins', 'records'] as const;

/** The areas that a session can use in each state. Enforced by the server for each call and by the web app for each screen. */
export const OPEN_AREAS: Readonly<Record<SchoolAccess, readonly Area[]>> = {
  open: [...ALWAYS_OPEN, 'settings', 'teaching'],
  none: ALWAYS_OPEN,
  expired: ALWAYS_OPEN,
  locked: ALWAYS_OPEN,
  // To read: `isOpenWhileClosed` lists what can be changed.
  closed: [...ALWAYS_OPEN, 'settings', 'teaching'],
  support: ['billing', 'account', 'help', 'settings'],
};

/** True when staff of a school in this state can use the area. */
export const isAreaOpen = (area: Area, access: SchoolAccess): boolean => OPEN_AREAS[access].includes(area);
