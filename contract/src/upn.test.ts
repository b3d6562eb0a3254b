import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isUpn } from './upn.ts';

const LETTERS = 'ABCDEFGHJKLMNPQRTUVWXYZ';
const bodies = fc.stringMatching(/^[0-9]{11}[0-9A-HJ-NP-RT-Z]$/);

test('B801200005001 is valid, and so is a temporary number', () => {
  expect(isUpn('B801200005001')).toBe(true);
  // 801200005 and 00 weigh 80, A is 0.
  expect(isUpn('M80120000500A')).toBe(true);
});

test('exactly one check letter is valid for each number', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      expect([...LETTERS].filter((letter) => isUpn(letter + body))).toHaveLength(1);
    }),
  );
});

test('a changed digit is detected', () => {
  fc.assert(
    fc.property(bodies, fc.nat(10), fc.integer({ min: 1, max: 9 }), (body, at, change) => {
      const letter = [...LETTERS].find((candidate) => isUpn(candidate + body)) ?? '';
      const digit = (Number(body[at]) + change) % 10;
      expect(isUpn(letter + body.slice(0, at) + digit + body.slice(at + 1))).toBe(false);
    }),
  );
});

test.each(['', 'B80120000500', 'B8012000050011', 'b801200005001', 'I801200005001', 'B80120000500I', ' B801200005001'])(
  '%j is not a UPN',
  (text) => {
    expect(isUpn(text)).toBe(false);
  },
);
