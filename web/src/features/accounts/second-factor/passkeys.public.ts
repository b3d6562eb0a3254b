export { getPasskey, hasPasskeys, isCancelled, offersInFields } from './model/passkeys.ts';
