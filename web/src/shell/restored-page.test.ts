// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from 'vitest';
import { endSession, startSession } from '../shared/session.ts';
import { makeUser } from '../testing/make-school.ts';
import { reloadRestoredPages } from './restored-page.ts';

reloadRestoredPages();
const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined);
const send = (name: 'pagehide' | 'pageshow', persisted: boolean) =>
  window.dispatchEvent(Object.assign(new Event(name), { persisted }));
const { style } = document.documentElement;

beforeEach(() => {
  reload.mockClear();
  style.visibility = '';
  endSession();
});

it('hides a signed-in page that is left, and loads it again before it is visible when Back restores it', () => {
  startSession(makeUser());
  send('pagehide', true);
  expect(style.visibility).toBe('hidden');
  send('pageshow', true);
  expect(reload).toHaveBeenCalledOnce();
  expect(style.visibility).toBe('hidden');
});

it('a new page and a restored page of a guest are neither hidden nor reloaded', () => {
  startSession(makeUser());
  send('pageshow', false);
  endSession();
  send('pagehide', true);
  send('pageshow', true);
  expect(reload).not.toHaveBeenCalled();
  expect(style.visibility).toBe('');
});
