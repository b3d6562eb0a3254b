import { randomInt } from 'node:crypto';

/** Capital letters and digits without those that look alike on paper: 0 and O, 1, I and L. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const LENGTH = 12;
const CODE = new RegExp(`^[${SIGNS}]{${String(LENGTH)}}$`);

/** A new code of 59 bits, as `readCode` returns it. */
export const newCode = (): string => Array.from({ length: LENGTH }, () => SIGNS[randomInt(SIGNS.length)]).join('');

/** The code as it is printed: `K7PM-3XQR-9DTW`. */
export const formatCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-');

/** The code that someone has typed, in capitals and without spaces and hyphens; undefined if it cannot be one. */
export function readCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[\s\p{Pd}]/gu, '');
  return CODE.test(code) ? code : undefined;
}
