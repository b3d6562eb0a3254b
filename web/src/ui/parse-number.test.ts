import { expect, it } from 'vitest';
import { parseNumber } from './parse-number.ts';

it.each([
  ['0', 0],
  ['007', 7],
  ['-5', -5],
  [' 12 ', 12],
  ['1,200', 1200],
  ['1,200,000', 1_200_000],
  ['£1,200', 1200],
  ['1,200.50', 1200.5],
  ['.5', 0.5],
  ['7.', 7],
])('reads the text %j as the number %d', (text, number) => {
  expect(parseNumber(text, 2)).toBe(number);
});

it.each(['1,5', '12,00', '1.2.3', '1e3', '12.345', '-', '.', '£', 'twelve', '0x10'])(
  'returns the text %j unchanged, because it is not a number with at most two decimal places',
  (text) => {
    expect(parseNumber(text, 2)).toBe(text);
  },
);

it('returns 1.5 as text where whole numbers are expected', () => {
  expect(parseNumber('1.5', 0)).toBe('1.5');
});

it.each(['', '   '])('reads the blank text %j as an empty value', (text) => {
  expect(parseNumber(text, 0)).toBe('');
});
