// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { schoolCalls } from '#contract/calls/school.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { apiQuery } from '../shared/api-query.ts';
import { fakeApi, rejectWith } from '../testing/fake-api.ts';
import { makeSchool, makeUser } from '../testing/make-school.ts';
import type { AppRoute } from '../routes.tsx';
import { prefetchQueries } from './load-screen.ts';
import { createQueryClient } from './query-client.ts';

const INVITES = 'GET /v1/enterprises/7/invites';
const SCHOOL = 'GET /v1/enterprises/7?include=invoices';
const invitesQuery = apiQuery(inviteCalls.listInvites, { params: { id: 7 } });
const schoolQuery = apiQuery(schoolCalls.getSchool, { params: { id: 7 }, query: { include: 'invoices' } });

/** A screen of invites, which the server counts. */
function setUp() {
  let count = 0;
  const sent = fakeApi({
    'GET /v1/users/me': () => ({ user: makeUser() }),
    [SCHOOL]: () => ({ enterprise: makeSchool() }),
    [INVITES]: () =>
      count < 2 ? { count: (count += 1) } : rejectWith(400, { error: 'Gone', error_type: 'validation' }),
  });
  const screen: AppRoute = {
    path: '/invites',
    frame: 'main',
    access: 'member',
    load: async () => ({ default: () => null }),
    queries: () => [invitesQuery],
  };
  const client = createQueryClient();
  const visit = { user: makeUser(), schoolId: 7, params: {}, query: new URLSearchParams() };
  return { client, sent, load: () => prefetchQueries(screen, client, visit) };
}

it('a screen waits for the new reply when a change has made the cached one wrong', async () => {
  const { client, load } = setUp();
  await load();
  await client.invalidateQueries();
  await load();
  expect(client.getQueryData(invitesQuery.queryKey)).toEqual({ count: 2 });
});

it('a screen that is opened again at once makes no second call', async () => {
  const { sent, load } = setUp();
  await load();
  await load();
  expect(sent[INVITES]).toHaveLength(1);
});

it('a screen does not wait for the school, which the frame shows, when only that has changed', async () => {
  const { client, sent, load } = setUp();
  await load();
  await client.invalidateQueries({ queryKey: schoolQuery.queryKey });
  await load();
  expect(sent[SCHOOL]).toHaveLength(1);
});

it('a screen keeps the earlier reply when the new one fails', async () => {
  const { client, load } = setUp();
  for (let visits = 0; visits < 3; visits += 1) {
    await load();
    await client.invalidateQueries();
  }
  expect(client.getQueryState(invitesQuery.queryKey)).toMatchObject({ data: { count: 2 }, status: 'error' });
});
