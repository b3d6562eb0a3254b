import { expect, it } from 'vitest';
import { newPassword } from '#contract/fields.ts';
import { SHORTEST_PASSWORD } from '#contract/password-names.ts';
import { estimateStrength } from './password-strength.ts';

it.each([
  ['', 0],
  ['abc123', 0],
  ['aaaaaaa', 1],
  ['abcdefgh', 1],
  ['12345678', 1],
  ['qwertyuiop', 1],
  ['pupil12', 1],
  ['reading-1', 2],
  ['Oak-lane 7', 2],
  ['Tr0ub4dor&3', 2],
  ['Oak-lane 712', 4],
  ['correct horse battery staple', 4],
  ['aaaaaaaaaaaaaaaaaaaaaaaa', 1],
])('%j has strength %i', (password, strength) => {
  expect(estimateStrength(password)).toBe(strength);
});

it('the strength of a password uses the minimum length of the contract', () => {
  expect(newPassword.safeParse('x'.repeat(SHORTEST_PASSWORD)).success).toBe(true);
  expect(newPassword.safeParse('x'.repeat(SHORTEST_PASSWORD - 1)).success).toBe(false);
});
