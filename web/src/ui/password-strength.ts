import { isMadeOfNames, SHORTEST_PASSWORD } from '#contract/password-names.ts';
import { PRODUCT_NAME } from '../shared/product.ts';

/** How hard a password is to guess: 0 too short · 1 weak · 2 fair · 3 good · 4 strong. */
export type Strength = 0 | 1 | 2 | 3 | 4;

export const STRENGTH_WORDS = ['Too short', 'Weak', 'Fair', 'Good', 'Strong'] as const;

/** A password from this length can be good. */
export const GOOD_LENGTH = 12;

const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const KINDS: [RegExp, number][] = [
  [/[a-z]/, 26],
  [/[A-Z]/, 26],
  [/\d/, 10],
  [/[^A-Za-z\d]/, 33],
];

/** True when the character only goes on as everybody would: `aaa`, `abc`, `321`, `qwe`. */
function isForeseen(text: string, index: number): boolean {
  const [left, right] = [text[index - 1], text[index]];
  if (left === undefined || right === undefined) return false;
  return left === right || ROWS.some((row) => row.includes(left + right) || row.includes(right + left));
}

/**
 * A rough estimate from length and variety. Characters that continue a run count little, so that `aaaaaaaaaa` and
 * `abcdefghij` do not pass for long passwords. The server rejects common passwords.
 */
export function estimateStrength(password: string): Strength {
  if (password.length < SHORTEST_PASSWORD) return 0;
  const lower = password.toLowerCase();
  const worth = Array.from(lower).reduce((sum, _letter, index) => sum + (isForeseen(lower, index) ? 0.25 : 1), 0);
  const alphabet = KINDS.reduce((size, [kind, letters]) => size + (kind.test(password) ? letters : 0), 0);
  const bits = Math.min(worth, new Set(lower).size * 1.75) * Math.log2(Math.max(alphabet, 2));
  if (bits < 36) return 1;
  if (bits < 56 || password.length < GOOD_LENGTH) return 2;
  return bits < 72 ? 3 : 4;
}

const ADVICE = ['', 'a few more words or characters help', 'a longer one is harder to guess', '', ''];

/**
 * The strength of a password and what to say about it while it is typed; nothing about an empty one.
 * @param names of the user and their school, of which the password must not be made
 */
export function describeStrength(password: string, names: readonly string[]): { strength: Strength; text: string } {
  const estimate = estimateStrength(password);
  const isNames = estimate > 0 && isMadeOfNames(password, [...names, PRODUCT_NAME]);
  const strength = isNames ? 1 : estimate;
  const advice = isNames ? `choose one without your name, your school’s name or ${PRODUCT_NAME}` : ADVICE[strength];
  const words = ['Strength', STRENGTH_WORDS[strength].toLowerCase(), advice];
  return { strength, text: password === '' ? '' : words.filter(Boolean).join(': ') };
}
