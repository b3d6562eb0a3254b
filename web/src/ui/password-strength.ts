import { SHORTEST_PASSWORD } from '#contract/password-names.ts';

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
