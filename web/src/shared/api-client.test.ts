import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setUpErrors } from '#contract/call.ts';
import { accessCalls, type User } from '#contract/calls/access.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { call, onSetUpRequired } from './api-client.ts';
import { ApiError } from './api-error.ts';
import { onLeave } from './ended-session.ts';
import { providePageScope } from './page-scope.ts';
import { endSession, startSession } from './session.ts';

const fetched = vi.fn<(address: string, init: RequestInit & { headers: Headers }) => Promise<Response>>();
const toLogout = vi.fn<(reason?: string) => void>();
const answer = (status: number, body: unknown, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
const failure = async (work: Promise<unknown>) =>
  work.then(
    () => expect.unreachable(),
    (error: unknown) => error as ApiError,
  );

beforeEach(() => {
  vi.stubGlobal('fetch', fetched);
  onLeave({ toLogout, toLogin: () => expect.unreachable() });
  startSession({ id: 1 } as User);
});
afterEach(() => {
  vi.resetAllMocks();
  endSession();
});

it('a call sends its parameters, query and body, and no token', async () => {
  fetched.mockResolvedValue(answer(200, { reader: { id: 2 } }));
  const reply = await call(pupilCalls.renamePupil, {
    params: { id: 7, readerId: 2 },
    body: { name: 'Ann' },
    idempotencyKey: 'a-key-of-16-chars',
  });
  const [address, init] = fetched.mock.calls[0]!;
  expect(reply).toEqual({ reader: { id: 2 } });
  expect(address).toBe('/v1/enterprises/7/readers/2');
  expect(init.method).toBe('POST');
  expect(init.body).toBe('{"name":"Ann"}');
  expect(init.headers.get('Authorization')).toBeNull();
  expect(init.headers.get('Idempotency-Key')).toBe('a-key-of-16-chars');

  fetched.mockResolvedValue(answer(200, { readers: [] }));
  await call(pupilCalls.listPupils, { params: { id: 7 }, query: { page: 2, sort: { name: 'asc' } } });
  expect(fetched.mock.calls[1]![0]).toBe('/v1/enterprises/7/readers?page=2&sort[name]=asc');
});

it('a call that needs a step of the set-up first reports the step, without a log out', async () => {
  const isHeld = vi.fn<() => void>();
  onSetUpRequired(isHeld);
  const steps = setUpErrors({ permission: 'view_pupils' });
  for (const code of steps) {
    isHeld.mockClear();
    fetched.mockResolvedValue(answer(409, { error: 'First', error_type: 'conflict', code }));
    await failure(call(pupilCalls.listPupils, { params: { id: 7 } }));
    expect([code, isHeld.mock.calls.length, toLogout.mock.calls.length]).toEqual([code, 1, 0]);
  }
  expect(steps).toContain('provider_required');
  fetched.mockResolvedValue(answer(409, { error: 'Taken', error_type: 'conflict', code: 'last_admin' }));
  await failure(call(pupilCalls.listPupils, { params: { id: 7 } }));
  expect(isHeld).toHaveBeenCalledTimes(1);
});

it('a call that fails throws the server’s error', async () => {
  fetched.mockResolvedValue(
    answer(422, { error: 'Wrong', error_type: 'validation', errors: { name: ['Too short.'] } }),
  );
  const error = await failure(call(pupilCalls.renamePupil, { params: { id: 7, readerId: 2 }, body: { name: '' } }));
  expect(error).toMatchObject({
    status: 422,
    error: 'Wrong',
    error_type: 'validation',
    errors: { name: ['Too short.'] },
  });
  expect(toLogout).not.toHaveBeenCalled();
});

it('a call without a connection throws a network error', async () => {
  fetched.mockRejectedValue(new TypeError('Failed to fetch'));
  expect(await failure(call(accessCalls.getMe))).toMatchObject({
    status: 0,
    error: 'Error: Network Error',
    error_type: 'network',
  });
});

it('a call accepts a reply that is not JSON', async () => {
  fetched.mockResolvedValue(
    new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'Content-Type': 'text/html' } }),
  );
  expect(await failure(call(accessCalls.getMe))).toMatchObject({
    status: 502,
    error: '',
    message: 'An error occurred',
  });
});

it.each([
  [403, 'Your role does not allow this.', [[undefined]]],
  [401, 'Unauthorised', [['session-ended']]],
  [401, 'Login failed', []],
])('on %s "%s" goes to /logout, for a 401 with the reason', async (status, error, reasons) => {
  fetched.mockResolvedValueOnce(answer(200, { user: { id: 1 } }));
  await call(accessCalls.getMe);
  fetched.mockResolvedValue(answer(status, { error }));
  await failure(call(accessCalls.getMe));
  expect(toLogout.mock.calls).toEqual(reasons);
});

it('a first call after a login that is not authorised leads to the notice about cookies', async () => {
  fetched.mockResolvedValue(answer(401, { error: 'Unauthorised' }));
  await failure(call(accessCalls.getMe));
  expect(toLogout.mock.calls).toEqual([['cookies-blocked']]);
});

it('no ended session is reported after a log out, nor for a reply to an earlier session', async () => {
  fetched.mockResolvedValue(answer(401, { error: 'Unauthorised' }));
  await failure(call(accessCalls.logOut));
  expect(toLogout).not.toHaveBeenCalled();

  fetched.mockImplementation(async () => {
    startSession({ id: 2 } as User);
    return answer(401, { error: 'Unauthorised' });
  });
  await failure(call(accessCalls.getMe));
  expect(toLogout).not.toHaveBeenCalled();
});

it('on the server a call is made for the visitor, and an ended session is left to the renderer', async () => {
  const ask = vi.fn<(address: string) => Promise<Response>>(async () => answer(401, { error: 'Unauthorised' }));
  const scope = { user: null, cookies: '', fetch: ask, now: 0 };
  providePageScope(() => scope);
  try {
    expect(await failure(call(accessCalls.getMe))).toMatchObject({ status: 401 });
  } finally {
    providePageScope(() => undefined);
  }
  expect(ask).toHaveBeenCalledWith('/v1/users/me', undefined);
  expect(fetched).not.toHaveBeenCalled();
  expect(toLogout).not.toHaveBeenCalled();
});

it('an error after too many tries states how long to wait', async () => {
  fetched.mockResolvedValue(
    answer(429, { error: 'Too many tries.', error_type: 'rate_limit' }, { 'Retry-After': '30' }),
  );
  expect(await failure(call(accessCalls.logIn, { body: { email: 'a@b.co', password: 'x' } }))).toMatchObject({
    retryAfter: 30,
  });
});

it.each([
  ['succeeds', () => answer(200, {})],
  ['fails', () => answer(500, { error: 'An error occurred' })],
])('a change that %s after another user has logged in is never answered', async (_how, reply) => {
  const settled = vi.fn<() => void>();
  fetched.mockImplementation(async () => {
    startSession({ id: 2 } as User);
    return reply();
  });
  const change = call(pupilCalls.renamePupil, { params: { id: 7, readerId: 2 }, body: { name: 'Ann' } });
  void change.then(settled, settled);
  fetched.mockResolvedValue(answer(200, {}));
  await call(accessCalls.getMe);
  expect(settled).not.toHaveBeenCalled();
});
