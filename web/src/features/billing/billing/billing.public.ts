export { packagesQuery } from './billing.api.ts';
export { isExtendable } from './model/extendable.ts';
