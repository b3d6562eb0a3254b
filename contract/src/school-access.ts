/**
 * What a school's staff may do by the state of its subscription: `open` everything · `none` it never had one ·
 * `expired` its subscription is over · `locked` an invoice is unpaid past its due date. All but `open` leave billing,
 * the account and logout. Asked by the server for each request, and by the web app for each screen.
 */
export type SchoolAccess = 'open' | 'none' | 'expired' | 'locked';

/** The state. A debt comes first: until it is paid nothing new can be bought. */
export function schoolAccess(school: {
  hasSubscription: boolean;
  hasExpired: boolean;
  hasOutstandingInvoice: boolean;
}): SchoolAccess {
  if (school.hasOutstandingInvoice) return 'locked';
  if (!school.hasSubscription) return 'none';
  return school.hasExpired ? 'expired' : 'open';
}
