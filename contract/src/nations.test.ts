import { expect, test } from 'vitest';
import { guessNation } from './nations.ts';

test.each([
  ['SW1A 1AA', 'england'],
  ['M1 1AE', 'england'],
  ['G12 8QQ', 'scotland'],
  ['GL1 1AA', 'england'],
  ['TD1 1AA', 'scotland'],
  ['TD15 1AA', 'england'],
  ['CF10 1AA', 'wales'],
  ['LL57 1AA', 'wales'],
  ['CH1 1AA', 'england'],
  ['CH7 1AA', 'wales'],
  ['SY1 1AA', 'england'],
  ['SY23 1AA', 'wales'],
  ['HR1 1AA', 'england'],
  ['BT1 1AA', 'northern_ireland'],
  ['IM1 1AA', null],
  ['JE2 3AB', null],
  ['GY1 1AA', null],
  ['BFPO 57', null],
])('the postcode %s in the United Kingdom belongs to %s', (postcode, nation) => {
  expect(guessNation({ postcode, country: 'GBR' })).toBe(nation);
});

test('an address outside the United Kingdom has no nation', () => {
  expect(guessNation({ postcode: 'G12 8QQ', country: 'IRL' })).toBeNull();
});
