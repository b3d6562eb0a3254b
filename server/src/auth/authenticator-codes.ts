import { Secret, TOTP } from 'otpauth';

/** The length of a step in seconds. Source: RFC 6238. */
const PERIOD = 30;
const SECRET_BYTES = 20;

const totp = (secret: Secret, issuer: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: PERIOD, secret });

/** A new secret, and its text and URL for an authenticator app. */
export function makeAuthenticator(productName: string, email: string): { bytes: Buffer; secret: string; url: string } {
  const secret = new Secret({ size: SECRET_BYTES });
  return { bytes: Buffer.from(secret.bytes), secret: secret.base32, url: totp(secret, productName, email).toString() };
}

/** The step of a code of this secret, now or one step earlier or later; undefined for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const bytes = new Secret({ buffer: new Uint8Array(secret).buffer });
  const delta = totp(bytes, '', 'account').validate({ token: code, timestamp: now.getTime(), window: 1 });
  return delta === null ? undefined : Math.floor(now.getTime() / (PERIOD * 1000)) + delta;
}
