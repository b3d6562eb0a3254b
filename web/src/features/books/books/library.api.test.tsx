// @vitest-environment happy-dom
import { act, cleanup, renderHook } from '@testing-library/react';
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { libraryQuery, useChangeBooks } from './library.api.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const OWNER = { classId: 4 };
const STATE = { search: '', from: 1, to: 6, show: 'all' } as const;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

it('a book that was just assigned stays assigned while requests for other books end', async () => {
  const assigned = new Set<number>();
  const fetchReply = async (url: string, { method }: RequestInit) => {
    const id = Number(/books\/(\d+)/.exec(url)?.[1]);
    await new Promise((resolve) => void setTimeout(resolve, method === 'POST' ? id * 100 : 10));
    if (method === 'POST') {
      assigned.add(id);
      return Response.json({});
    }
    const books = [1, 2].map((book) => ({ id: book, is_assigned: assigned.has(book) }));
    return Response.json({ books, meta: {} });
  };
  vi.stubGlobal('fetch', fetchReply);
  const client = new QueryClient();
  const { result } = renderHook(
    () => ({
      books: useQuery(libraryQuery(1, OWNER, STATE, 1)).data?.books.map(({ is_assigned }) => is_assigned),
      change: useChangeBooks(1, OWNER),
    }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={client}>{children}</QueryClientProvider>
      ),
    },
  );
  await pass(50);
  expect(result.current.books).toEqual([false, false]);
  act(() => result.current.change.mutate({ bookIds: [1], change: 'assign' }));
  act(() => result.current.change.mutate({ bookIds: [2], change: 'assign' }));
  const seen = new Set<string>();
  await pass(0);
  for (let ms = 0; ms < 400; ms += 10) {
    await pass(10);
    seen.add(String(result.current.books));
  }
  expect([...seen]).toEqual(['true,true']);
});
