// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { useQuery } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { apiQuery } from '../shared/api-query.ts';
import { loginDestination } from '../shared/end-at-login.ts';
import { getSession } from '../shared/session.ts';
import { fakeApi, rejectWith } from '../testing/fake-api.ts';
import { makeUser } from '../testing/make-school.ts';
import { renderInApp, signIn } from '../testing/render-in-app.tsx';
import { useCoverEnd } from './use-cover-end.ts';

const ME = 'GET /v1/users/me';
const PUPIL = 'GET /v1/enterprises/7/readers/2';
const END = '2026-11-18T15:30:00.000Z';
const FRIDAY = '2026-12-18T15:30:00.000Z';

const makeCoverer = (role: User['role'], ...ends: string[]): User =>
  makeUser({
    enterprise_user_role: 'teacher',
    role,
    covers: ends.map((ends_at, index) => ({ group_id: index + 4, ends_at })),
  });
const unauthorised = () => rejectWith(401, { error: 'Unauthorised', error_type: 'authentication' });

function Page({ user }: { user: User }) {
  useCoverEnd(user);
  const { data, error } = useQuery(apiQuery(pupilCalls.getPupil, { params: { id: 7, readerId: 2 } }));
  return error ? <p>Not found</p> : <p>{data?.reader.name}</p>;
}

async function open(user: User, replies: Parameters<typeof fakeApi>[0]) {
  signIn(user);
  const sent = fakeApi({ [PUPIL]: () => ({ reader: { id: 2, name: 'Amara Bello' } }), ...replies });
  const { unmount } = renderInApp(<Page user={user} />);
  await act(() => vi.advanceTimersByTimeAsync(10));
  expect(screen.getByText('Amara Bello')).toBeTruthy();
  return { sent, unmount };
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-18T15:00:00.000Z') });
  vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a supply teacher is logged out at the end of the cover, not before', async () => {
  await open(makeCoverer('supply_teacher', END), { [ME]: unauthorised });
  await pass(29 * 60_000);
  expect(getSession()).not.toBeNull();
  await pass(60_000);
  expect(getSession()).toBeNull();
  expect(loginDestination()).toBe('/supply?action=cover-ended');
});

it('a supply teacher is logged out at the end of the cover while the server cannot be reached', async () => {
  const fail = () => {
    throw new TypeError('Failed to fetch');
  };
  await open(makeCoverer('supply_teacher', END), { [ME]: fail });
  await pass(31 * 60_000);
  expect(getSession()).toBeNull();
});

it('a device whose clock is ahead keeps the page until the server ends the cover', async () => {
  const user = makeCoverer('supply_teacher', END);
  let isOver = false;
  await open(user, { [ME]: () => (isOver ? unauthorised() : { user }) });
  await pass(31 * 60_000);
  expect(getSession()).not.toBeNull();
  isOver = true;
  await pass(60_000);
  expect(getSession()).toBeNull();
});

it('the pupils of a class leave the screen at the end of a cover, while another cover goes on', async () => {
  const later = makeCoverer('supply_teacher', FRIDAY);
  let isOver = false;
  await open(makeCoverer('supply_teacher', END, FRIDAY), {
    [ME]: () => ({ user: later }),
    [PUPIL]: () =>
      isOver
        ? rejectWith(404, { error: 'Not found', error_type: 'not_found' })
        : { reader: { id: 2, name: 'Amara Bello' } },
  });
  isOver = true;
  await pass(31 * 60_000);
  expect(screen.queryByText('Amara Bello')).toBeNull();
  expect(getSession()).not.toBeNull();
});

it('a cover that lasts longer than a timer can wait ends nothing early', async () => {
  const { sent } = await open(makeCoverer('supply_teacher', FRIDAY), { [ME]: unauthorised });
  await pass(29 * 86_400_000);
  expect([sent[ME], getSession()?.user.role]).toEqual([undefined, 'supply_teacher']);
  await pass(2 * 86_400_000);
  expect(getSession()).toBeNull();
});

it('a page that is shown again after the end does not wait for its timer', async () => {
  await open(makeCoverer('supply_teacher', END), { [ME]: unauthorised });
  vi.setSystemTime(Date.parse(END) + 1);
  document.dispatchEvent(new Event('visibilitychange'));
  await pass(10);
  expect(getSession()).toBeNull();
});

it('a page that is left asks nothing more', async () => {
  const { sent, unmount } = await open(makeCoverer('teacher', END), { [ME]: () => ({ user: makeCoverer('teacher') }) });
  unmount();
  await pass(2 * 3_600_000);
  expect(sent[ME]).toBeUndefined();
});
