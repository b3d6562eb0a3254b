export {
  dayOf,
  daysBetween,
  endOfDay,
  lengthOf,
  type Period,
  startOfDay,
  subscriptionYear,
  yearFrom,
} from './period.service.ts';
export { restorePurchase, revertPurchase } from './reversal.service.ts';
export { assertSchoolNotClosed, getSchoolAccess, isSchoolClosed } from './school-access.queries.ts';
export {
  countActivePupils,
  findSubscription,
  getSubscription,
  insertSubscription,
  recomputeSubscriptions,
  type SubscriptionRow,
} from './subscriptions.queries.ts';
export {
  capacityOf,
  type CoveredPeriod,
  currentPeriod,
  EXTENDABLE_DAYS,
  periodsOf,
  toSubscription,
} from './subscriptions.service.ts';
