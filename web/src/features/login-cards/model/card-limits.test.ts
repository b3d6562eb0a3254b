import { CARDS_AT_ONCE as inContract } from '#contract/calls/login-cards.ts';
import { expect, test } from 'vitest';
import { CARDS_AT_ONCE } from './card-limits.ts';

test('the web and the contract make the same number of cards at once', () => {
  expect(CARDS_AT_ONCE).toBe(inContract);
});
