// @vitest-environment happy-dom
import { act, renderHook, waitFor } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { endSession, startSession } from '../../../../shared/session.ts';
import { makeImportRow } from '../../../../testing/make-import-row.ts';
import { makeUser } from '../../../../testing/make-school.ts';
import { signIn } from '../../../../testing/render-in-app.tsx';
import { rowsOf } from './draft.ts';
import { useCreation } from './use-creation.ts';
import type { Draft } from './use-import-draft.ts';

afterEach(() => localStorage.clear());

const DRAFT: Draft = {
  source: { kind: 'text', text: 'Ada Baker' },
  title: 'Names',
  understood: { format: 'text', layout: null, layouts: [], sheets: [], questions: [], tags: [] },
  reading: {},
  rows: rowsOf([makeImportRow(1, 'Ada Baker')]),
  destination: 'none',
  capacity: { max_readers: null, used: 0, left: null },
  newClasses: [],
  isEdited: false,
  chosenColumns: [],
};
const CREATED = {
  links: { cards: 'https://portal.example/cards', logins: 'https://portal.example/logins' },
  readers: [{ id: 5, name: 'Ada Baker', username: 'ada.baker', group: null }],
  meta: { created: 1, already: 0, duplicates: 0, classes_created: [], moved: 0 },
};

/** A tab of the browser. `send` answers its requests. */
function openTab(send: (key: string | null) => Promise<Response>) {
  vi.stubGlobal('fetch', (_url: string, { headers }: RequestInit) => send(new Headers(headers).get('Idempotency-Key')));
  const client = new QueryClient();
  const { result, unmount } = renderHook(() => useCreation(7, null), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  onTestFinished(unmount);
  return { result, close: unmount };
}

it('an import resumed after its page was closed gets the first reply and its logins', async () => {
  signIn(makeUser());
  const keys: (string | null)[] = [];
  const first = openTab((key) => {
    keys.push(key);
    return new Promise(() => {});
  });
  act(() => void first.result.current.run(DRAFT, []));
  await act(async () => {});
  expect(first.result.current.unfinished).toBeNull();
  first.close();

  const second = openTab((key) => {
    keys.push(key);
    return Promise.resolve(Response.json(CREATED));
  });
  expect(second.result.current.unfinished?.request.pupils).toEqual([{ name: 'Ada Baker' }]);
  await act(() => second.result.current.resume());
  expect(keys[1]).toBe(keys[0]);
  expect(second.result.current.unfinished).toBeNull();
  expect(second.result.current.logins?.links).toEqual(CREATED.links);
});

it('an import whose reply was lost is offered again, under the same key', async () => {
  signIn(makeUser());
  const keys: (string | null)[] = [];
  const { result } = openTab((key) => {
    keys.push(key);
    return keys.length === 1
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(Response.json(CREATED));
  });
  await act(() => result.current.run(DRAFT, []));
  await waitFor(() => expect(result.current.error).toBeTruthy());
  expect(result.current.unfinished).not.toBeNull();
  await act(() => result.current.run(DRAFT, []));
  expect(keys[1]).toBe(keys[0]);
  expect(result.current.unfinished).toBeNull();
});

it('an import that the server has rejected is not offered again', async () => {
  signIn(makeUser());
  const { result } = openTab(() =>
    Promise.resolve(Response.json({ error: 'Full', error_type: 'capacity' }, { status: 422 })),
  );
  expect(await act(() => result.current.run(DRAFT, []))).toBe('rejected');
  expect(result.current.unfinished).toBeNull();
});

it('an unfinished import is offered for a day', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-23T09:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  signIn(makeUser());
  const lose = () => Promise.reject(new TypeError('Failed to fetch'));
  const { result } = openTab(lose);
  await act(() => result.current.run(DRAFT, []));
  expect(openTab(lose).result.current.unfinished).not.toBeNull();
  vi.setSystemTime(new Date('2026-11-24T09:00:00Z'));
  expect(openTab(lose).result.current.unfinished).toBeNull();
});

it.each([
  ['the user logs out', () => endSession()],
  ['another user logs in', () => startSession(makeUser({ id: 4 }))],
])('an unfinished import leaves no pupil’s name in the browser when %s', async (_when, change) => {
  signIn(makeUser());
  const tab = openTab(() => Promise.reject(new TypeError('Failed to fetch')));
  await act(() => tab.result.current.run(DRAFT, []));
  expect(JSON.stringify({ ...localStorage })).toContain('Ada Baker');
  tab.close();
  act(change);
  expect(JSON.stringify({ ...localStorage })).not.toContain('Ada Baker');
});
