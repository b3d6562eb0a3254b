import { hasNoAddress, personName, schoolName, topLevelDomains } from '#contract/fields.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadTopLevelDomains } from './top-level-domains.ts';

beforeAll(loadTopLevelDomains);

const letters = 'abcdefghijklmnopqrstuvwxyz';
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 12 });

describe('names with an address', () => {
  test.each([
    'evil.com',
    'Evil.COM',
    'You won: claim at evil.example/win',
    'evil.example/login Your bank',
    'see shop.evil.co.uk now',
    'evil.zip',
    'evil.museum',
    'evil.unknowntld/path',
    'evil.unknowntld:8080',
    'http://x',
    'www.evil',
    'me@evil.example',
    'me@localhost',
    'mailto:me',
    '10.0.0.1',
    'ev\u200Bil\u200B.c\u200Bom',
    '\uFF45vil\uFF0Ecom',
    'evil\u3002com',
    'münchen.de',
    'пример.рф',
    '(evil.com)',
    'evil.com.',
  ])('%j is rejected', (name) => {
    expect(hasNoAddress(name)).toBe(false);
    expect(schoolName.safeParse(name).error?.issues[0]?.message).toBe(
      'The name of the school cannot contain a web or email address. Put a space after each full stop.',
    );
  });

  test('are rejected for every top-level domain, in any case, wherever they are in the name', () => {
    fc.assert(
      fc.property(
        word,
        fc.constantFrom(...topLevelDomains),
        fc.boolean(),
        fc.constantFrom('', 'Your bank ', '('),
        fc.constantFrom('', ' now', ')', '!', '/x', ', Leeds'),
        (host, domain, isUpper, before, after) => {
          const address = `${host}.${domain}`;
          return !hasNoAddress(before + (isUpper ? address.toUpperCase() : address) + after);
        },
      ),
    );
  });
});

describe('names without an address', () => {
  test.each([
    "St.Mary's",
    'St. Mary’s C.E. Primary School',
    'J.R. Smith',
    'J.R.Smith',
    "St.John's & St.Peter's",
    'Dr. Who Jr.',
    'Sainte-Marie R.C. Primary',
    'Łukasz Ng.',
    'No. 4 School, Leeds',
    'Class 3/4',
    'A.N. Other',
    'The Com School',
    'Academy: Net and Shop',
  ])('%j is accepted', (name) => {
    expect(hasNoAddress(name)).toBe(true);
    expect(personName('first name').safeParse(name).success).toBe(true);
  });

  test('are accepted when every full stop ends a word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.constantFrom('', '.', ',', "'s")), { minLength: 1, maxLength: 8 }),
        (words) => hasNoAddress(words.map(([part, end]) => part + end).join(' ')),
      ),
    );
  });
});
