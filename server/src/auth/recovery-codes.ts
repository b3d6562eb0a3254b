import { randomInt } from 'node:crypto';
import { RECOVERY_CODES } from '#contract/limits.ts';

/** 32 characters that are hard to confuse: ten of them are 50 bits. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz023456789';
const LENGTH = 10;

const makeCode = (): string => Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** New recovery codes, without the hyphen with which they are shown. */
export function makeRecoveryCodes(): string[] {
  const codes = new Set<string>();
  while (codes.size < RECOVERY_CODES) codes.add(makeCode());
  return [...codes];
}

/** A code as it is shown: `abcde-fghjk`. */
export const showRecoveryCode = (code: string): string => `${code.slice(0, LENGTH / 2)}-${code.slice(LENGTH / 2)}`;

/** Returns whether a text has the form of a recovery code rather than of an authenticator's. */
export const isRecoveryCode = (text: string): boolean => text.length === LENGTH;
