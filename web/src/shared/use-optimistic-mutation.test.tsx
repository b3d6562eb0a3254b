// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from './api-error.ts';
import { setOptimisticField, useOptimisticMutation } from './use-optimistic-mutation.ts';
import { useInvalidatingMutation } from './use-invalidating-mutation.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const resolveAfter = <T,>(ms: number, value: T) => new Promise<T>((resolve) => void setTimeout(resolve, ms, value));
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

interface Shelf {
  assigned: number[];
}
const KEY = ['/books'];

/** A fake server whose requests take as long as the test requires, and the query that shows what it has stored. */
function setUp() {
  const stored = new Set<number>();
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  let reads = 0;
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      const shelf = useQuery({
        queryKey: KEY,
        queryFn: () => {
          reads += 1;
          const assigned = [...stored];
          return resolveAfter(10, { assigned });
        },
      });
      const assign = useOptimisticMutation({
        mutationKey: ['assign'],
        queryKey: KEY,
        mutationFn: async ({ book, ms, fails }: { book: number; ms: number; fails?: boolean }) => {
          await resolveAfter(ms, null);
          if (fails) throw new ApiError(500, { error: 'Away', error_type: 'server' });
          stored.add(book);
        },
        apply: (own, { book }) => {
          own.setQueryData<Shelf>(KEY, (old) => old && { assigned: [...old.assigned, book] });
          return () =>
            own.setQueryData<Shelf>(
              KEY,
              (old) => old && { assigned: old.assigned.filter((assigned) => assigned !== book) },
            );
        },
      });
      return { shown: shelf.data?.assigned, assign };
    },
    { wrapper },
  );
  return { result, shown: () => result.current.shown, countReads: () => reads, client };
}

it('an optimistic change shows at once, and the last one fetches the data again', async () => {
  const { result, shown, countReads } = setUp();
  await pass(10);
  act(() => result.current.assign.mutate({ book: 1, ms: 50 }));
  act(() => result.current.assign.mutate({ book: 2, ms: 200 }));
  await pass(0);
  const seen = new Set<string>();
  for (let ms = 0; ms < 300; ms += 5) {
    await pass(5);
    seen.add(String(shown()));
  }
  expect([...seen]).toEqual(['1,2']);
  expect(countReads()).toBe(2);
});

it('an optimistic change that fails is reverted, and no other', async () => {
  const { result, shown } = setUp();
  await pass(10);
  act(() => result.current.assign.mutate({ book: 1, ms: 50, fails: true }));
  act(() => result.current.assign.mutate({ book: 2, ms: 200 }));
  await pass(100);
  expect(shown()).toEqual([2]);
  await pass(200);
  expect(shown()).toEqual([2]);
});

it('setOptimisticField reverts only its own value', () => {
  const client = new QueryClient();
  const field = {
    get: ({ name }: { name: string }) => name,
    set: (reply: { name: string }, name: string) => ({ ...reply, name }),
  };
  client.setQueryData(KEY, { name: 'Ada' });
  const revertFirst = setOptimisticField(client, KEY, field, 'Ben');
  const revertSecond = setOptimisticField(client, KEY, field, 'Cem');
  revertFirst();
  expect(client.getQueryData(KEY)).toEqual({ name: 'Cem' });
  revertSecond();
  expect(client.getQueryData(KEY)).toEqual({ name: 'Ben' });
});

it('useInvalidatingMutation waits for the list that shows the change, but not for charts', async () => {
  const client = new QueryClient();
  const reads = { list: 0, chart: 0, other: 0 };
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  );
  const { result } = renderHook(
    () => {
      useQuery({ queryKey: ['/list'], queryFn: () => resolveAfter(20, (reads.list += 1)) });
      useQuery({ queryKey: ['/chart', 'time'], queryFn: () => resolveAfter(5000, (reads.chart += 1)) });
      useQuery({ queryKey: ['/other'], queryFn: () => resolveAfter(10, (reads.other += 1)) });
      return useInvalidatingMutation(() => resolveAfter(10, null), {
        awaits: [{ path: '/list' }],
        renews: [{ path: '/chart' }],
      });
    },
    { wrapper },
  );
  await pass(5000);
  act(() => result.current.mutate(undefined));
  // The change is done after 10 ms, and the list after 30.
  await pass(20);
  expect(result.current.isPending).toBe(true);
  await pass(20);
  expect(result.current.isSuccess).toBe(true);
  expect(reads).toEqual({ list: 2, chart: 2, other: 1 });
});
