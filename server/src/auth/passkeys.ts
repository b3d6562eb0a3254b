import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { Config } from '../config.ts';
import type { Passkey } from './login-factors.queries.ts';

type Portal = Pick<Config, 'publicUrl' | 'productName'>;

/** How long a device waits for its owner, in milliseconds: as long as the challenge is valid. */
const TIMEOUT_MS = 5 * 60_000;

/** Passkeys belong to the portal's host name, and are accepted on its own pages alone. */
function portalOf({ publicUrl }: Portal): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl);
  return { rpID: hostname, origin };
}

/** What a device needs to create a passkey. `known`: the user's passkeys, so that a device does not register twice. */
export function makeRegistrationOptions(
  portal: Portal,
  user: { id: number; email: string; fullName: string },
  known: readonly string[],
) {
  return generateRegistrationOptions({
    rpName: portal.productName,
    rpID: portalOf(portal).rpID,
    userName: user.email,
    userDisplayName: user.fullName,
    // Contains nothing about the person. The same for all passkeys of the account, so that a device keeps one.
    userID: new Uint8Array(new TextEncoder().encode(`account ${user.id}`)),
    timeout: TIMEOUT_MS,
    attestationType: 'none',
    excludeCredentials: known.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** What a device needs to log in with any of its passkeys for this portal. */
export const makeLoginOptions = (portal: Portal) =>
  generateAuthenticationOptions({
    rpID: portalOf(portal).rpID,
    timeout: TIMEOUT_MS,
    userVerification: 'required',
  });

/** The challenge that a response answers; undefined when it cannot be read. */
export function challengeOf(response: { response: Record<string, unknown> }): string | undefined {
  try {
    const data = JSON.parse(Buffer.from(String(response.response['clientDataJSON']), 'base64url').toString()) as {
      challenge?: unknown;
    };
    return typeof data.challenge === 'string' ? data.challenge : undefined;
  } catch {
    return undefined;
  }
}

/** The new passkey of a registration; undefined when the response is not valid for this challenge and portal. */
export async function verifyRegistration(portal: Portal, response: object, challenge: string) {
  const { rpID, origin } = portalOf(portal);
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    });
    return verified ? registrationInfo?.credential : undefined;
  } catch {
    // The library throws for every kind of invalid response.
    return undefined;
  }
}

/** The new count of a passkey's uses; undefined when the response is not valid for it, this challenge and portal. */
export async function verifyLogin(
  portal: Portal,
  response: object,
  challenge: string,
  { credentialId, publicKey, signCount }: Passkey,
): Promise<number | undefined> {
  const { rpID, origin } = portalOf(portal);
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      credential: { id: credentialId, publicKey: new Uint8Array(publicKey), counter: signCount },
      requireUserVerification: true,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
