import { QueryClient } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { accessCalls, type User } from '#contract/calls/access.ts';
import { preloadsSettled, type PreloadedResponse } from './preloaded-responses.ts';
import { apiQuery } from './api-query.ts';
import { endSession, getSession, startSession } from './session.ts';

const ADDRESS = '/v1/users/me';
const underWay = (key: string | undefined, text?: string): Record<string, PreloadedResponse> => ({
  [ADDRESS]: {
    key: key ?? '',
    answer: Promise.resolve(new Response(text, { headers: { 'Content-Type': 'application/json' } })),
    ...(text !== undefined && { text }),
  },
});
/** What a page that asks for the person has to show when it is drawn first. */
const shownFirst = () => {
  const client = new QueryClient();
  return client.getQueryCache().build(client, client.defaultQueryOptions(apiQuery(accessCalls.getMe, {}))).state.data;
};

beforeEach(() => startSession({ id: 1 } as User));
afterEach(() => {
  vi.unstubAllGlobals();
  endSession();
});

it('shows at once what has been answered already, and hands it out a single time', () => {
  vi.stubGlobal('window', { preloadedResponses: underWay(getSession()?.key, '{"user":{"id":1}}') });
  expect(shownFirst()).toEqual({ user: { id: 1 } });
  expect(shownFirst()).toBeUndefined();
});

it.each([
  ['is still under way', () => underWay(getSession()?.key)],
  ['was asked for by another session', () => underWay('of somebody else', '{"user":{"id":2}}')],
  ['is no JSON', () => underWay(getSession()?.key, '<h1>Welcome to the hotel</h1>')],
  ['is not there at all', () => ({})],
])('shows nothing of an answer that %s', (_what, preloaded) => {
  vi.stubGlobal('window', { preloadedResponses: preloaded() });
  expect(shownFirst()).toBeUndefined();
});

it('leaves an answer under way to the call', () => {
  const preloadedResponses = underWay(getSession()?.key);
  vi.stubGlobal('window', { preloadedResponses });
  shownFirst();
  expect(preloadedResponses[ADDRESS]).toBeDefined();
});

it('waits for each answer to end, well or not', async () => {
  const failing = Promise.reject(new TypeError('Failed to fetch'));
  vi.stubGlobal('window', { preloadedResponses: { a: { key: 'k', answer: failing }, ...underWay(getSession()?.key) } });
  await expect(preloadsSettled()).resolves.toHaveLength(2);
});
