// @vitest-environment happy-dom
import { expect, it, onTestFinished, vi } from 'vitest';
import { makeUser } from '../testing/make-school.ts';
import { adoptSession, endSession, getSession, onSessionChange } from './session.ts';

it('stores nothing and notifies no listener when a page brings the user whom the browser knows', () => {
  onTestFinished(endSession);
  adoptSession(makeUser());
  const before = getSession();
  const write = vi.spyOn(Storage.prototype, 'setItem');
  onTestFinished(() => write.mockRestore());
  const listener = vi.fn<() => void>();
  onTestFinished(onSessionChange(listener));
  adoptSession(makeUser());
  expect(write).not.toHaveBeenCalled();
  expect(listener).not.toHaveBeenCalled();
  expect(getSession()).toBe(before);
  adoptSession(makeUser({ last_name: 'Bell' }));
  expect(listener).toHaveBeenCalledTimes(1);
  expect(getSession()?.key).toBe(before?.key);
});
