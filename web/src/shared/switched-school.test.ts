// @vitest-environment happy-dom
import { renderHook } from '@testing-library/react';
import { afterAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { makeUser, makeUserOfElm, makeUserOfTwo } from '../testing/make-school.ts';
import { call } from './api-client.ts';
import { download } from './download.ts';
import { endSession, startSession } from './session.ts';
import { onSchoolSwitched } from './switched-school.ts';
import { useOpenWork } from './unsaved-work.ts';

const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
afterAll(() => reload.mockRestore());

/** The school that the session is in. */
let schoolId: number;
/** The schools that the calls named, in order. */
let named: (string | null)[];

beforeEach(() => {
  reload.mockClear();
  schoolId = 7;
  named = [];
  vi.stubGlobal('fetch', async (_url: string, { headers }: RequestInit = {}) => {
    const school = new Headers(headers).get('Portal-School');
    named.push(school);
    return school === null || Number(school) === schoolId
      ? Response.json({})
      : Response.json({ error: 'You have switched.', code: 'school_switched' }, { status: 409 });
  });
  onTestFinished(endSession);
  startSession(makeUserOfTwo());
});

const openWork = () => onTestFinished(renderHook(() => useOpenWork(true)).unmount);
const rename = () => call(pupilCalls.renamePupil, { params: { id: 7, readerId: 2 }, body: { name: 'Ann' } });

/** Answers the question whether to switch back. */
function answerWith(isBack: boolean) {
  const ask = vi.fn<() => Promise<boolean>>(async () => {
    if (isBack) schoolId = 7;
    return isBack;
  });
  onTestFinished(onSchoolSwitched(ask));
  return ask;
}

it('each call for a member of staff names the school of the page', async () => {
  await rename();
  await call(accessCalls.updateMe, { body: {} });
  expect(named).toEqual(['7', '7']);
});

it('calls about the session itself, open calls and those of a user without a school name no school', async () => {
  await call(accessCalls.getMe);
  await call(membershipCalls.switchSchool, { body: { enterprise_id: 8 } });
  await call(inviteCalls.getInvite, { params: { inviteId: '5f0c1c1e-0000-4000-8000-000000000001' } });
  await call(accessCalls.logOut);
  startSession(makeUser({ id: 4, enterprise: null, enterprise_id: null }));
  await call(accessCalls.updateMe, { body: {} });
  expect(named).toEqual([null, null, null, null, null]);
});

it('a download names the school of the page', async () => {
  schoolId = 8;
  openWork();
  await expect(download('/enterprises/7/export', {}, 'school.zip')).rejects.toMatchObject({ code: 'school_switched' });
  expect(named).toEqual(['7']);
});

it('a page without unsaved work opens the other school when a call is rejected', async () => {
  const ask = answerWith(true);
  schoolId = 8;
  await expect(rename()).rejects.toMatchObject({ code: 'school_switched' });
  expect([reload.mock.calls.length, ask.mock.calls.length, named]).toEqual([1, 0, ['7']]);
  expect(window.location.pathname + window.location.hash).toBe('/#switched');
});

it('a page with unsaved work asks once for several changes, and repeats each after the switch back', async () => {
  const ask = answerWith(true);
  openWork();
  schoolId = 8;
  await Promise.all([rename(), rename()]);
  expect([reload.mock.calls.length, ask.mock.calls.length, named]).toEqual([0, 1, ['7', '7', '7', '7']]);
});

it('a change fails with the reason when the user does not switch back, and the next change asks again', async () => {
  const ask = answerWith(false);
  openWork();
  schoolId = 8;
  await expect(rename()).rejects.toMatchObject({ error: 'You have switched.' });
  await expect(rename()).rejects.toMatchObject({ error: 'You have switched.' });
  expect([reload.mock.calls.length, ask.mock.calls.length, named]).toEqual([0, 2, ['7', '7']]);
});

it('a call that only reads does not interrupt a user with unsaved work', async () => {
  const ask = answerWith(true);
  openWork();
  schoolId = 8;
  await expect(call(pupilCalls.listPupils, { params: { id: 7 } })).rejects.toMatchObject({ code: 'school_switched' });
  expect([reload.mock.calls.length, ask.mock.calls.length]).toEqual([0, 0]);
});

it('a call of the school before, which is rejected after the page has switched, changes nothing', async () => {
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    schoolId = 8;
    startSession(makeUserOfElm());
    return others(url, init);
  });
  await expect(call(pupilCalls.listPupils, { params: { id: 7 } })).rejects.toMatchObject({ code: 'school_switched' });
  expect(reload).not.toHaveBeenCalled();
});
