// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, cleanup, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followedResetQuery } from './login-cards.api.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const RESET_ID = '7a1c';
const loading = () => Response.json({ reset: { id: RESET_ID, status: 'loading', total: 1, links: null } });
const done = () => Response.json({ reset: { id: RESET_ID, status: 'done', total: 1, links: null } });
const rejected = (status: number, headers = {}) =>
  Response.json({ error: 'No', error_type: 'client' }, { status, headers });

/**
 * Follows a reset for a minute while the server gives these replies, repeating the last one. Returns the number of
 * requests.
 */
async function countRequests(...replies: (() => Response)[]): Promise<number> {
  let count = 0;
  vi.stubGlobal('fetch', async () => {
    const reply = replies[Math.min(count, replies.length - 1)];
    count += 1;
    return reply?.();
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  renderHook(() => useQuery(followedResetQuery(1, RESET_ID)), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>{children}</QueryClientProvider>
    ),
  });
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  return count;
}

it('a reset of passwords is polled until the new logins are ready', async () => {
  expect(await countRequests(loading, loading, done)).toBe(3);
});

it.each([403, 404, 422])(
  'polling a reset of passwords stops after %s: these are another user’s logins',
  async (status) => {
    expect(await countRequests(() => rejected(status))).toBe(1);
  },
);

it('polling a reset of passwords stops when access ends while the logins are being made', async () => {
  expect(await countRequests(loading, () => rejected(404))).toBe(2);
});

it('polling a reset of passwords continues after a failure of the server', async () => {
  expect(await countRequests(() => rejected(503), loading, done)).toBe(3);
});

it('polling a reset of passwords waits as long as a rate limit says', async () => {
  expect(await countRequests(() => rejected(429, { 'Retry-After': '25' }), loading, done)).toBe(3);
});
