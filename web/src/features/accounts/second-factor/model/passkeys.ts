import type { BodyInputOf } from '#contract/call.ts';
import type { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { setPreference } from '../../../../shared/preferences.ts';

type Passkey = BodyInputOf<typeof secondFactorCalls.logInWithPasskey>['passkey'];

/** Loaded when it is needed: most people log in with a password. */
const loadLibrary = () => import('@simplewebauthn/browser');

/** The user closed the device's dialog, or it took too long: nothing to explain. */
export const isCancelled = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError');

/** The device has a passkey of this account already. */
export const isKnownDevice = (error: unknown): boolean => error instanceof Error && error.name === 'InvalidStateError';

/** Returns whether this browser can use passkeys. */
export const hasPasskeys = (): boolean => 'PublicKeyCredential' in window;

/** Returns whether this browser offers passkeys in the email field. */
export const offersInFields = async (): Promise<boolean> =>
  hasPasskeys() && PublicKeyCredential.isConditionalMediationAvailable().catch(() => false);

/** Creates a passkey. Throws what the browser throws; see `isCancelled` and `isKnownDevice`. */
export async function createPasskey(options: object): Promise<Passkey> {
  const { startRegistration } = await loadLibrary();
  const passkey = await startRegistration({ optionsJSON: options as never });
  setPreference('passkey', 'used');
  return passkey as unknown as Passkey;
}

/**
 * Asks for a passkey. Throws what the browser throws; see `isCancelled`.
 * @param offersInField offers the passkeys in the email field instead of a dialog, until the user chooses one
 */
export async function getPasskey(options: object, offersInField = false): Promise<Passkey> {
  const { startAuthentication } = await loadLibrary();
  const passkey = await startAuthentication({ optionsJSON: options as never, useBrowserAutofill: offersInField });
  setPreference('passkey', 'used');
  return passkey as unknown as Passkey;
}
