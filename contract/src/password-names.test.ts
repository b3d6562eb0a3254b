import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMadeOfNames, removeNames } from './password-names.ts';

const NAMES = ['Siân', 'O’Brien-Łukasik', 'Willow Bank Primary School', 'Storylark'];

describe('a password is made of names', () => {
  it.each([
    'willowbank',
    'WILLOWBANK',
    'Willow Bank 1',
    'Willow-Bank-26',
    'Storylark-2026!',
    'sian2026',
    'Siân-2026',
    'obrien12',
    "O'Brien12",
    'O`Brien12',
    'lukasik!',
    'ŁUKASIK1',
    'ｗｉｌｌｏｗ１',
    'wilwillowlow1',
    'school1',
    'sianobrien storylark 99',
  ])('a password is made of names when it is %j', (password) => {
    expect(isMadeOfNames(password, NAMES)).toBe(true);
  });

  it.each([
    'reading-1',
    'seven-paper-boats',
    'willow-harbour-kettle',
    'my storylark kite harbour',
    'bank of seven rivers',
  ])('a password is not made of names when it is %j', (password) => {
    expect(isMadeOfNames(password, NAMES)).toBe(false);
  });

  it('a password is not made of a name with fewer than four letters', () => {
    expect(isMadeOfNames('ann1234', ['Ann', 'Li', '', '1234'])).toBe(false);
    // The whole name has more.
    expect(isMadeOfNames('oakelm12', ['Oak Elm'])).toBe(true);
  });
});

const name = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ'’ -]{1,30}$/);
const affix = fc.stringMatching(/^[\d !-]{0,6}$/);
const spelling = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toUpperCase(),
  (text: string) => text.toLowerCase(),
  (text: string) => text.normalize('NFD'),
);

it('a name of four letters or more is rejected in each spelling and with few characters around it', () => {
  fc.assert(
    fc.property(name, affix, affix, spelling, (text, before, after, spell) => {
      const letters = text.replaceAll(/[^\p{L}]/gu, '');
      fc.pre(letters.length >= 4 && (before + after).length < 7);
      expect(isMadeOfNames(before + spell(letters) + after, [text])).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('what remains of a password contains none of the names, and a password without them is left alone', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-d]{4,6}$/), { maxLength: 3 }),
      fc.stringMatching(/^[a-e]{7,20}$/),
      (names, password) => {
        const remainder = removeNames(password, names);
        expect(remainder === undefined).toBe(!names.some((part) => password.includes(part)));
        for (const part of names) expect(remainder ?? '').not.toContain(part);
        if (remainder === undefined) expect(isMadeOfNames(password, names)).toBe(false);
      },
    ),
    { numRuns: 5000 },
  );
});
