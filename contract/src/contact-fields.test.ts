import { describe, expect, test } from 'vitest';
import { countries, FIRST_COUNTRIES } from './countries.ts';
import { email, flag, telephone, normalizePostcode, urn } from './fields.ts';

describe('a UK postcode', () => {
  test.each([
    ['sw1a1aa', 'SW1A 1AA'],
    [' Sw1A  1aA ', 'SW1A 1AA'],
    ['M11AE', 'M1 1AE'],
    ['b338th', 'B33 8TH'],
    ['CR2 6XH', 'CR2 6XH'],
    ['dn551pt', 'DN55 1PT'],
    ['w1a 0ax', 'W1A 0AX'],
    ['ec1a\u00a01bb', 'EC1A 1BB'],
    ['gir0aa', 'GIR 0AA'],
    ['bfpo57', 'BFPO 57'],
    ['BFPO 1234', 'BFPO 1234'],
    ['bf1 2at', 'BF1 2AT'],
  ])('%j is stored as %j', (typed, stored) => {
    expect(normalizePostcode(typed, 'GBR')).toBe(stored);
    expect(normalizePostcode(stored, 'GBR')).toBe(stored);
  });

  test.each([
    '',
    'SW1A',
    '1AA',
    'SW1A 1A',
    'SW1A 1AAA',
    'QW1A 1AA',
    'SW1A 1CA',
    'SW1A 1AA; drop',
    '12345',
    'BFPO',
    'BFPO 12345',
    'ЅW1A 1AA',
  ])('%j is not a valid postcode', (typed) => {
    expect(normalizePostcode(typed, 'GBR')).toBeUndefined();
  });

  test.each(['JEY', 'GGY', 'IMN'])('a UK postcode is valid in %s', (country) => {
    expect([normalizePostcode('je23ab', country), normalizePostcode('12345', country)]).toEqual(['JE2 3AB', undefined]);
  });
});

test.each([
  ['110 001', 'IND', '110 001'],
  ['90210-1234', 'USA', '90210-1234'],
  ['d02  x285', 'IRL', 'D02 X285'],
  ['--', 'USA', undefined],
  ['<b>1</b>', 'USA', undefined],
])('%j in %s is %j', (typed, country, stored) => {
  expect(normalizePostcode(typed, country)).toBe(stored);
});

test.each([
  ['+44 20 7946 0000', '+442079460000'],
  ['020 7946\u00a00000', '02079460000'],
  ['', undefined],
  ['+', undefined],
  ['(0161) 496-0000', '01614960000'],
  ['+44 (0)161 496.0000', '+4401614960000'],
  ['020 7946 ext 2', undefined],
  [['020'], undefined],
  [2079460000, undefined],
])('%j as phone is %j', (typed, stored) => {
  expect(telephone.safeParse(typed).data).toBe(stored);
});

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  [123456, '123456'],
  ['', null],
  [null, null],
  [undefined, null],
])('%j as URN is %j', (typed, stored) => {
  expect(urn.parse(typed)).toBe(stored);
});

test.each(['12345', '1234567', 'abcdef', '１２３４５６', ['123456'], {}])('%j is not a URN', (typed) => {
  expect(urn.safeParse(typed).success).toBe(false);
});

test('a flag can be a boolean, number or string', () => {
  expect([true, 1, '1', 'true', false, 0, '0', 'false'].map((given) => flag.parse(given))).toEqual([
    ...Array<boolean>(4).fill(true),
    ...Array<boolean>(4).fill(false),
  ]);
  for (const given of ['', 'yes', 2, null, [], [true]]) expect(flag.safeParse(given).success).toBe(false);
});

test('an email address with a look-alike letter is rejected', () => {
  for (const typed of [
    'te\u0430cher@test.example',
    'teacher@te\u0455t.example',
    'ｔeacher@test.example',
    'a@b@c.example',
    ['a@b.example'],
  ])
    expect(email.safeParse(typed).success).toBe(false);
});

test('every country has an English name', () => {
  expect(countries.size).toBe(249);
  for (const [code, name] of countries)
    expect([code, name]).toEqual([expect.stringMatching(/^[A-Z]{3}$/), expect.stringMatching(/^\p{Lu}[^;]+$/u)]);
  expect(FIRST_COUNTRIES.map((code) => countries.get(code))).toEqual(['United Kingdom', 'India', 'United States']);
});

test('a phone number of 80,000 characters is rejected for its length only', () => {
  const { error } = telephone.safeParse(`${'1'.repeat(80_000)}x`);
  expect(error?.issues.map(({ message }) => message)).toEqual(['A phone number has at most 20 characters.']);
});
