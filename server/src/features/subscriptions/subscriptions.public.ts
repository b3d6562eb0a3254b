export { findOfferedPackage } from './packages.queries.ts';
export { evaluatePackageChoice, findCustomer, vatRateOn } from './packages.service.ts';
export { addMonths, dayOf, daysBetween, endOfDay, type Period, startOfDay } from './period.service.ts';
export { restorePurchase, revertPurchase } from './purchases.service.ts';
export {
  endSubscription,
  findSubscription,
  insertSubscription,
  type SubscriptionRow,
  updateSubscription,
} from './subscriptions.queries.ts';
export { capacityOf, startTrial, toSubscription } from './subscriptions.service.ts';
