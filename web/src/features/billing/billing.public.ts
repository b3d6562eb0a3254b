export { packagesQuery } from './billing.api.ts';
export { isExtendable } from './model/package-texts.ts';
