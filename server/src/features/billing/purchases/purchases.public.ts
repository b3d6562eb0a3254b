export { grantCustomPackage } from './custom-packages.service.ts';
export { purchasePackage } from './purchases.service.ts';
export { packageLine, quotePrice } from './quotes.service.ts';
export { startTrial } from './trial.service.ts';
