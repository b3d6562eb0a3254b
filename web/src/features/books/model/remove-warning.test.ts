import { expect, test } from 'vitest';
import { mustConfirmRemoval, rememberRemovalConfirmed } from './remove-warning.ts';

test('a removal is confirmed once in five minutes, one book and many separately', () => {
  expect(mustConfirmRemoval('one', 1000)).toBe(true);
  rememberRemovalConfirmed('one', 1000);
  expect(mustConfirmRemoval('one', 1000)).toBe(false);
  expect(mustConfirmRemoval('many', 1000)).toBe(true);
  expect(mustConfirmRemoval('one', 300_999)).toBe(false);
  expect(mustConfirmRemoval('one', 301_000)).toBe(true);
  // A clock that was set back does not silence the question for longer.
  expect(mustConfirmRemoval('one', 999)).toBe(true);
  rememberRemovalConfirmed('many', 2000);
  expect(mustConfirmRemoval('many', 2000)).toBe(false);
});
