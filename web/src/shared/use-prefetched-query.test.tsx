// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { ScreenPath, usePrefetchedQuery } from './use-prefetched-query.ts';

afterEach(cleanup);

const QUERY_KEY = ['/enterprises/:id/groups/:groupId', { params: { id: 7 } }] as const;

function renderScreen(client: QueryClient, queryFn: () => Promise<string>) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>
      <ScreenPath value="/classes/:id">{children}</ScreenPath>
    </QueryClientProvider>
  );
  return renderHook(() => usePrefetchedQuery({ queryKey: QUERY_KEY, queryFn, retry: false, staleTime: 60_000 }), {
    wrapper,
  });
}

it('an undeclared query throws an error that names the query and its screen', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  expect(() => renderScreen(new QueryClient(), async () => 'Kingfishers')).toThrow(
    'The screen /classes/:id reads /enterprises/:id/groups/:groupId, which is not in its queries (routes.tsx).',
  );
});

it('a screen gets what the loader fetched, without a request', async () => {
  const client = new QueryClient();
  const queryFn = vi.fn<() => Promise<string>>(async () => 'Kingfishers');
  await client.ensureQueryData({ queryKey: QUERY_KEY, queryFn });
  const { result } = renderScreen(client, queryFn);
  expect(result.current).toMatchObject({ data: 'Kingfishers', error: null });
  expect(queryFn).toHaveBeenCalledTimes(1);
});

it('a screen shows the loader’s error, without another request, until a retry succeeds', async () => {
  const client = new QueryClient();
  const failure = new Error('Offline');
  await client.ensureQueryData({ queryKey: QUERY_KEY, queryFn: () => Promise.reject(failure) }).catch(() => undefined);
  let reply: (name: string) => void = () => undefined;
  const queryFn = vi.fn<() => Promise<string>>(() => new Promise<string>((resolve) => (reply = resolve)));
  const { result } = renderScreen(client, queryFn);
  expect(result.current).toMatchObject({ data: undefined, error: failure });
  expect(queryFn).not.toHaveBeenCalled();

  await act(async () => void result.current.refetch());
  expect(result.current).toMatchObject({ data: undefined, error: failure });
  await act(async () => reply('Kingfishers'));
  await waitFor(() => expect(result.current).toMatchObject({ data: 'Kingfishers', error: null }));
});
