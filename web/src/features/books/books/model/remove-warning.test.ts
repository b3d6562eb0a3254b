// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { endSession, startSession } from '../../../../shared/session.ts';
import { makeUser } from '../../../../testing/make-school.ts';
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

test('the next user of the browser confirms a removal again', () => {
  startSession(makeUser());
  rememberRemovalConfirmed('one', 1000);
  expect(mustConfirmRemoval('one', 1000)).toBe(false);
  endSession();
  startSession(makeUser({ id: 4 }));
  expect(mustConfirmRemoval('one', 1000)).toBe(true);
  expect(localStorage.getItem('portal.removal-confirmed.one')).toBeNull();
  endSession();
});
