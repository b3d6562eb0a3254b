// @vitest-environment happy-dom
import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Call } from '#contract/call.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { apiQuery, isRecorded } from '../shared/api-query.ts';
import { createQueryClient } from './query-client.ts';

const MINUTE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  focusManager.setFocused(undefined);
  onlineManager.setOnline(true);
});

/** How often a mounted query is fetched while the window gains focus, the network returns and its interval passes. */
async function countBackgroundFetches(spec: Call): Promise<number> {
  const client = createQueryClient();
  client.mount();
  let fetches = 0;
  const observer = new QueryObserver(client, {
    ...(apiQuery(spec, { params: { id: 1, readerId: 2, groupId: 3 } } as never) as object),
    queryKey: [spec.path],
    queryFn: () => (fetches += 1),
    refetchInterval: MINUTE_MS,
    refetchOnWindowFocus: 'always',
  } as never);
  const unsubscribe = observer.subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(2.5 * MINUTE_MS);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  onlineManager.setOnline(false);
  onlineManager.setOnline(true);
  await vi.advanceTimersByTimeAsync(10);
  unsubscribe();
  client.unmount();
  // The first is that of the page itself.
  return fetches - 1;
}

test('what is recorded as a view is never fetched in the background, whatever a component asks for', async () => {
  expect(await countBackgroundFetches(pupilNoteCalls.listPupilNotes)).toBe(0);
  expect(await countBackgroundFetches(classCalls.getClass)).toBe(0);
});

test('what is not recorded as a view is fetched again when the window gains focus, and after its interval', async () => {
  expect(await countBackgroundFetches(schoolCalls.getSchool)).toBeGreaterThan(2);
});

test('a query is recorded exactly when its call declares views', () => {
  for (const spec of [pupilNoteCalls.listPupilNotes, classCalls.getClass, schoolCalls.getSchool] as Call[])
    expect([spec.name, isRecorded(apiQuery(spec, {} as never) as never)]).toEqual([spec.name, Boolean(spec.views)]);
});
