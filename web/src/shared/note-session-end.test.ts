// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { makeUser } from '../testing/make-school.ts';
import { noteSessionEnd } from './note-session-end.ts';
import { EXPIRED, SESSION_KEY } from './session-storage.ts';
import { readStored, store } from './storage.ts';

const DRAFT = 'portal.private.draft';

function openAfterSession(role: 'teacher' | 'supply_teacher', cookie = ''): ReturnType<typeof noteSessionEnd> {
  store(SESSION_KEY, { key: 'a', user: makeUser({ role }) });
  store(DRAFT, 'Amara');
  if (cookie) document.cookie = cookie;
  return noteSessionEnd();
}

beforeEach(() => localStorage.clear());

it('a session of a teacher that has expired is stored as expired, for tabs with unsaved work', () => {
  expect(openAfterSession('teacher')?.role).toBe('teacher');
  expect(readStored(SESSION_KEY)).toEqual(EXPIRED);
});

it('a session of a supply teacher that has ended leaves nothing in the browser', () => {
  expect(openAfterSession('supply_teacher')?.role).toBe('supply_teacher');
  expect([readStored(SESSION_KEY), readStored(DRAFT)]).toEqual([null, null]);
});

it('a log out of a supply teacher is not reported as the end of a cover', () => {
  expect(openAfterSession('supply_teacher', 'log-out=done')).toBeUndefined();
  expect(readStored(SESSION_KEY)).toBeNull();
});
