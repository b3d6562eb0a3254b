import { expect, test } from 'vitest';
import { mustConfirmRemoval, noteRemovalConfirmed } from './remove-warning.ts';

test('a removal is confirmed once in five minutes', () => {
  expect(mustConfirmRemoval(1000)).toBe(true);
  noteRemovalConfirmed(1000);
  expect(mustConfirmRemoval(1000)).toBe(false);
  expect(mustConfirmRemoval(300_999)).toBe(false);
  expect(mustConfirmRemoval(301_000)).toBe(true);
  // A clock that was set back does not silence the question for longer.
  expect(mustConfirmRemoval(999)).toBe(true);
});
