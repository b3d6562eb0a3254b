// @vitest-environment happy-dom
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { leaveForLogout } from '../shared/ended-session.ts';
import { endSession, startSession } from '../shared/session.ts';
import { makeUser, makeUserOfElm, makeUserOfTwo } from '../testing/make-school.ts';
import { watchSession } from './watch-session.ts';

const navigate = vi.fn<(to: unknown) => Promise<void>>(() => Promise.resolve());
const replace = vi.spyOn(window.location, 'replace').mockImplementation(() => undefined);
const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);

/** Watches on the page at a URL, while the user opens another. */
function watchAt(url: string, opened?: string): void {
  const at = (target: string) => {
    const { pathname, search } = new URL(target, 'http://portal.invalid');
    return { pathname, search };
  };
  const state = { location: at(url), navigation: { location: opened && at(opened) } };
  onTestFinished(watchSession({ navigate, state } as never));
}

afterAll(() => {
  replace.mockRestore();
  reload.mockRestore();
});
beforeEach(() => {
  vi.clearAllMocks();
  onTestFinished(endSession);
  startSession(makeUser());
});

it.each([
  ['/pupils?search=ada', undefined, '/logout?redirect=%2Fpupils%3Fsearch%3Dada&action=session-ended'],
  ['/pupils', '/classes', '/logout?redirect=%2Fclasses&action=session-ended'],
  ['/', undefined, '/logout?action=session-ended'],
])('an ended session on %s, while %s is opened, goes to %s', (url, opened, target) => {
  watchAt(url, opened);
  leaveForLogout('session-ended');
  expect(navigate.mock.calls.map(([to]) => to)).toEqual([target]);
});

it('several calls that fail lead to /logout once', () => {
  watchAt('/pupils', '/logout?redirect=%2Fpupils&action=session-ended');
  leaveForLogout('session-ended');
  expect(navigate).not.toHaveBeenCalled();
});

it('a 403 leads to /logout without a reason', () => {
  watchAt('/pupils');
  leaveForLogout();
  expect(navigate.mock.calls.map(([to]) => to)).toEqual(['/logout']);
});

it('the start page loads when another user replaces the user of the page', () => {
  watchAt('/pupils?search=ada');
  startSession(makeUser({ id: 4 }));
  expect(replace.mock.calls).toEqual([['/']]);
});

it('no page reloads when the user logs out, or logs in again', () => {
  watchAt('/pupils');
  startSession(makeUser());
  endSession();
  startSession(makeUser({ id: 4 }));
  expect([replace.mock.calls, reload.mock.calls]).toEqual([[], []]);
});

it('the start page of the other school loads when the user switches school', () => {
  startSession(makeUserOfTwo());
  watchAt('/pupils?search=ada');
  startSession(makeUserOfElm());
  expect(reload).toHaveBeenCalledTimes(1);
  expect(window.location.pathname + window.location.search + window.location.hash).toBe('/#switched');
});
