import { randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/limits.ts';
import { Secret, TOTP } from 'otpauth';

/** The length of a step in seconds. Source: RFC 6238. */
const STEP_SECONDS = 30;
const SECRET_BYTES = 20;

const totp = (secret: Secret, issuer: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: STEP_SECONDS, secret });

/** A new secret, and its text and URL for an authenticator app. */
export function makeAuthenticator(productName: string, email: string): { bytes: Buffer; secret: string; url: string } {
  const secret = new Secret({ size: SECRET_BYTES });
  return { bytes: Buffer.from(secret.bytes), secret: secret.base32, url: totp(secret, productName, email).toString() };
}

/** The step of a code of this secret, now or one step earlier or later; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const bytes = new Secret({ buffer: new Uint8Array(secret).buffer });
  const delta = totp(bytes, '', 'account').validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? undefined : Math.floor(now.getTime() / (STEP_SECONDS * 1000)) + delta;
}

/** 32 characters that are hard to confuse: ten of them are 50 bits. */
const RECOVERY_ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
const RECOVERY_LENGTH = 10;

const makeRecoveryCode = (): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_ALPHABET[randomInt(RECOVERY_ALPHABET.length)]).join('');

/** New recovery codes, without the hyphen with which they are shown. */
export function makeRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(makeRecoveryCode());
  return [...codes];
}

/** A code as it is shown: `abcde-fghjk`. */
export const showRecoveryCode = (code: string): string =>
  `${code.slice(0, RECOVERY_LENGTH / 2)}-${code.slice(RECOVERY_LENGTH / 2)}`;

/** Returns whether a text has the form of a recovery code rather than of an authenticator's. */
export const isRecoveryCode = (text: string): boolean => text.length === RECOVERY_LENGTH;
