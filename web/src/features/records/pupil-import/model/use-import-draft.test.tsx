// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { BodyInputOf } from '#contract/call.ts';
import type { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { makeImportRow } from '../../../../testing/make-import-row.ts';
import { useImportDraft } from './use-import-draft.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A fake server that rejects names with a digit. `delayOf` returns the delay of each reply in milliseconds. */
function setUp(delayOf: (names: string[]) => number) {
  vi.stubGlobal('fetch', async (_url: string, { body }: RequestInit) => {
    const { text, readers: rows } = JSON.parse(String(body)) as BodyInputOf<typeof pupilImportCalls.previewPupils>;
    const names = rows?.map(({ name }) => name) ?? text!.split('\n');
    await new Promise((resolve) => void setTimeout(resolve, delayOf(names)));
    if (names.includes('Error')) return Response.json({ error: 'Unavailable', error_type: 'server' }, { status: 503 });
    return Response.json({
      understood: { format: rows ? 'rows' : 'text', sheets: [], tags: [] },
      rows: names.map((name, index) =>
        makeImportRow(index + 1, name, /\d/.test(name) ? { status: 'wrong', reason: 'A name has no digits.' } : {}),
      ),
      counts: {},
      new_classes: [],
      capacity: { limit: null, used: 0, left: null },
      fits: true,
    });
  });
  const { result, unmount } = renderHook(() => useImportDraft(7, undefined), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  });
  onTestFinished(unmount);
  const begin = (text: string) => void result.current.begin({ kind: 'text', text }, 'Names', null);
  const rename = (from: string, to: string) =>
    void result.current.change((row) => (row.name === from ? { ...row, name: to } : row));
  const rows = () => result.current.draft?.rows.map(({ name, status }) => `${name}: ${status}`);
  return { result, begin, rename, rows };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('an import shows the latest list even if the reply to an earlier one arrives after it', async () => {
  const { begin, rows, result } = setUp(([name]) => (name === 'Ada' ? 500 : 100));
  act(() => begin('Ada'));
  act(() => begin('Ben'));
  await pass(100);
  expect(rows()).toEqual(['Ben: new']);
  expect(result.current.isChecking).toBe(true);
  await pass(400);
  expect(rows()).toEqual(['Ben: new']);
  expect(result.current.isChecking).toBe(false);
});

it('an import keeps the latest correction when replies arrive in the wrong order', async () => {
  const { begin, rename, rows } = setUp((names) => (names.includes('Be2') ? 500 : 100));
  act(() => begin('Ada\nB3n'));
  await pass(100);
  expect(rows()).toEqual(['Ada: new', 'B3n: wrong']);
  act(() => rename('B3n', 'Be2'));
  await pass(100);
  act(() => rename('Be2', 'Ben'));
  await pass(100);
  expect(rows()).toEqual(['Ada: new', 'Ben: new']);
  await pass(500);
  expect(rows()).toEqual(['Ada: new', 'Ben: new']);
});

it('an import hides the failure of an earlier request once a later one has succeeded', async () => {
  const { begin, result } = setUp(([name]) => (name === 'Error' ? 500 : 100));
  act(() => begin('Error'));
  act(() => begin('Ben'));
  await pass(1000);
  expect(result.current.error).toBeNull();
});

it('a discarded list stays discarded when the reply arrives afterwards', async () => {
  const { begin, result } = setUp(() => 100);
  act(() => begin('Ada'));
  act(() => result.current.discard());
  await pass(1000);
  expect(result.current.draft).toBeNull();
});
