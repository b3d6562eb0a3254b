import { dehydrate, hydrate, QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import type { User } from '#contract/calls/access.ts';
import { ApiError } from './api-error.ts';
import { takePageState, writePageState } from './page-state.ts';

afterEach(() => vi.unstubAllGlobals());

/** A page whose state element holds what the server wrote. */
function load(element: string) {
  const textContent = /^<script [^>]*>([^]*)<\/script>$/.exec(element)?.[1];
  vi.stubGlobal('document', { getElementById: () => ({ textContent, remove: () => undefined }) });
}

it('the page’s state passes data and errors from the server to the browser', async () => {
  const server = new QueryClient();
  server.setQueryData(['/a'], { name: '</script><script>' }, { updatedAt: 1 });
  const failure = new ApiError(404, { error: 'Not there', error_type: 'not_found' });
  await server.prefetchQuery({ queryKey: ['/b'], queryFn: () => Promise.reject(failure), retry: false });
  const queries = dehydrate(server, { shouldDehydrateQuery: () => true, shouldRedactErrors: () => false });
  const element = writePageState({ user: { id: 1 } as User, renderedAt: 5, queries });
  expect(element.match(/<\//g)).toHaveLength(1);

  load(element);
  const state = takePageState();
  expect(state).toMatchObject({ user: { id: 1 }, renderedAt: 5 });
  const browser = new QueryClient();
  hydrate(browser, state!.queries);
  expect(browser.getQueryData(['/a'])).toEqual({ name: '</script><script>' });
  // As fresh as it is, whatever the clocks say.
  expect(browser.getQueryState(['/a'])?.dataUpdatedAt).toBeGreaterThan(1_000_000);
  expect(browser.getQueryState(['/b'])?.error).toBeInstanceOf(ApiError);
  expect(browser.getQueryState(['/b'])?.error).toMatchObject({ status: 404, error: 'Not there' });
});

it('a guest’s page has no state', () => {
  vi.stubGlobal('document', { getElementById: () => null });
  expect(takePageState()).toBeNull();
});
