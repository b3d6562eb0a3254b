export { countActivePupils, findCustomer } from './customer.queries.ts';
export { findOfferedPackage, type PackageRow } from './packages.queries.ts';
export { evaluatePackageChoice, quotePrice, vatRateFor } from './packages.service.ts';
export { dayOf, daysBetween, endOfDay, type Period, startOfDay } from './period.service.ts';
export { currentPeriod, isLarger, yearlyPrice } from './proration.service.ts';
export { restorePurchase, revertPurchase } from './purchases.service.ts';
export {
  findSubscription,
  getSubscription,
  insertSubscription,
  recomputeSubscriptions,
  type SubscriptionRow,
} from './subscriptions.queries.ts';
export { capacityOf, startTrial, toSubscription } from './subscriptions.service.ts';
