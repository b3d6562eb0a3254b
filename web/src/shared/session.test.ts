// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { makeUser, makeUserOfElm, makeUserOfTwo } from '../testing/make-school.ts';
import { onSessionReset } from './session-reset.ts';
import {
  adoptSession,
  countLogins,
  endSession,
  getSession,
  noteExpiry,
  onSessionChange,
  renewUser,
  startSession,
} from './session.ts';
import { useOpenWork } from './unsaved-work.ts';

const HELEN = makeUser();
const OTHER = makeUser({ id: 4 });
const reset = vi.fn<(draftOwner: number | null) => void>();

beforeEach(() => {
  onTestFinished(endSession);
  reset.mockClear();
  onTestFinished(onSessionReset(reset));
});

/** What another tab stores reaches this one. */
function storeInOtherTab(session: object | null): void {
  if (session) localStorage.setItem('portal.session', JSON.stringify(session));
  else localStorage.removeItem('portal.session');
  window.dispatchEvent(new StorageEvent('storage', { key: 'portal.session' }));
}

it('a page with the user whom the browser knows stores nothing and notifies no listener', () => {
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

it('the page is cleared when a user logs in, logs out or is replaced by another', () => {
  startSession(HELEN);
  startSession(OTHER);
  endSession();
  expect(reset.mock.calls).toEqual([[HELEN.id], [OTHER.id], [null]]);
});

it('the page is cleared when another tab logs out or logs another user in', () => {
  startSession(HELEN);
  reset.mockClear();
  storeInOtherTab({ key: 'b', user: OTHER });
  expect(getSession()?.user.id).toBe(OTHER.id);
  storeInOtherTab(null);
  expect(getSession()).toBeNull();
  expect(reset.mock.calls).toEqual([[OTHER.id], [null]]);
});

it('the page continues when the same user logs in again, in this tab or another', () => {
  startSession(HELEN);
  reset.mockClear();
  const { key } = getSession()!;
  const logins = countLogins();
  startSession(makeUser({ last_name: 'Bell' }));
  storeInOtherTab({ key: 'b', user: HELEN });
  renewUser(key, makeUser({ first_name: 'Helena' }));
  expect(getSession()).toMatchObject({ key, user: { first_name: 'Helena' } });
  expect(countLogins() - logins).toBe(2);
  expect(reset).not.toHaveBeenCalled();
});

it('a session that another tab of an earlier build stored has no covers, and is not held up', () => {
  const { covers: _covers, require_provider: _provider, ...user } = HELEN;
  storeInOtherTab({ key: 'earlier', user });
  expect(getSession()?.user).toEqual(HELEN);
});

it('other tabs are notified of each login of the same user', () => {
  startSession(HELEN);
  const before = localStorage.getItem('portal.session');
  startSession(HELEN);
  expect(localStorage.getItem('portal.session')).not.toBe(before);
});

it('the page is cleared when support logs in as the user', () => {
  startSession(HELEN);
  reset.mockClear();
  startSession(makeUser({ impersonated_by: { id: 9, full_name: 'Sam Support' } }));
  expect(reset).toHaveBeenCalledTimes(1);
});

it('the drafts of a user remain when their session expires', () => {
  startSession(HELEN);
  reset.mockClear();
  noteExpiry();
  endSession();
  startSession(HELEN);
  endSession();
  expect(reset.mock.calls).toEqual([[HELEN.id], [HELEN.id], [null]]);
});

it('a session that expires in another tab does not clear this tab, which may have unsaved work', () => {
  startSession(HELEN);
  reset.mockClear();
  storeInOtherTab({ isExpired: true });
  expect(getSession()?.user.id).toBe(HELEN.id);
  expect(reset).not.toHaveBeenCalled();
});

it('other tabs are notified whether the session has expired or the user has logged out', () => {
  startSession(HELEN);
  noteExpiry();
  endSession();
  expect(localStorage.getItem('portal.session')).toBe('{"isExpired":true}');
  startSession(HELEN);
  endSession();
  expect(localStorage.getItem('portal.session')).toBeNull();
});

/** Something on the page is typed, ticked or open until the test ends. */
function openWork(): void {
  onTestFinished(renderHook(() => useOpenWork(true)).unmount);
}

it('the page is cleared when the user switches school, in this tab or another', () => {
  startSession(makeUserOfTwo());
  const { key } = getSession()!;
  reset.mockClear();
  startSession(makeUserOfElm());
  expect(getSession()?.key).not.toBe(key);
  storeInOtherTab({ key: 'b', user: makeUserOfTwo() });
  expect(getSession()?.user.enterprise_id).toBe(7);
  // The drafts of the user stay; each is offered in its school only.
  expect(reset.mock.calls).toEqual([[HELEN.id], [HELEN.id]]);
});

it('a tab with unsaved work stays in its school when another tab switches', () => {
  startSession(makeUserOfTwo());
  openWork();
  reset.mockClear();
  const { key } = getSession()!;
  storeInOtherTab({ key: 'b', user: makeUserOfElm() });
  renewUser(key, makeUserOfElm());
  expect(getSession()).toMatchObject({ key, user: { enterprise_id: 7 } });
  expect(reset).not.toHaveBeenCalled();
  storeInOtherTab({ key: 'c', user: makeUserOfTwo({ first_name: 'Helena' }) });
  expect(getSession()).toMatchObject({ key, user: { enterprise_id: 7, first_name: 'Helena' } });
});

it('the page is cleared when the server reports that the session is in another school', () => {
  startSession(makeUserOfTwo());
  reset.mockClear();
  renewUser(getSession()!.key, makeUserOfElm());
  expect(getSession()?.user.enterprise_id).toBe(8);
  expect(localStorage.getItem('portal.session')).toContain('"enterprise_id":8');
  expect(reset).toHaveBeenCalledTimes(1);
});

it('the page continues when a user joins their first school or leaves the last one', () => {
  const newcomer = makeUser({ enterprise: null, enterprise_id: null, memberships: [] });
  startSession(newcomer);
  const { key } = getSession()!;
  reset.mockClear();
  renewUser(key, makeUser());
  renewUser(key, newcomer);
  expect(getSession()).toMatchObject({ key, user: { enterprise_id: null } });
  expect(reset).not.toHaveBeenCalled();
});
