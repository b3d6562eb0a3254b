import { accessCalls } from '#contract/calls/access.ts';
import type { ReplyOf } from '#contract/call.ts';
import type { classCalls } from '#contract/calls/classes.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { errorReply } from '#contract/error-reply.ts';
import { errorList } from '#contract/errors.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school();
});

const json = { 'content-type': 'application/json' };
const login = (payload: string | Buffer, headers: Record<string, string> = json) =>
  app.fastify.inject({ method: 'POST', url: '/v1/auth', payload, headers });

/** A reply that must be an error of the contract. */
function errorOf(response: { statusCode: number; headers: Record<string, unknown>; payload: string }) {
  expect(String(response.headers['content-type'])).toMatch(/^application\/json/);
  const body = errorReply.parse(JSON.parse(response.payload));
  expect(
    Object.values(errorList).some(({ status, type }) => status === response.statusCode && type === body.error_type),
  ).toBe(true);
  return { status: response.statusCode, type: body.error_type };
}

describe('a body', () => {
  test.each(['{', '{"email":}', 'email=a', '\uFEFF{}', '{"a":1}}', 'undefined', "{'a':1}", '\u0000'])(
    'that is %j is 400',
    async (payload) => {
      expect(errorOf(await login(payload))).toEqual({ status: 400, type: 'bad_request' });
    },
  );

  test.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/xml',
    'text/csv',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'nonsense',
  ])('of the type %s is 415', async (type) => {
    expect(errorOf(await login('{"email":"a@test.example","password":"x"}', { 'content-type': type }))).toEqual({
      status: 415,
      type: 'bad_request',
    });
  });

  test('a body of JSON is parsed whatever the parameters of its type', async () => {
    const { statusCode } = await login(JSON.stringify({ email: school.admin.email, password: 'wrong password' }), {
      'content-type': 'application/json; charset=UTF-8',
    });
    expect(statusCode).toBe(401);
  });

  test('a body of more than 1 MiB is answered with 413', async () => {
    expect(errorOf(await login(JSON.stringify({ email: 'x'.repeat(1024 * 1024), password: 'x' })))).toEqual({
      status: 413,
      type: 'bad_request',
    });
  });

  test.each([33, 10_000, 100_000])('a body nested %i times is answered with 400', async (depth) => {
    for (const payload of ['['.repeat(depth) + ']'.repeat(depth), `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`])
      expect(errorOf(await login(`{"email":${payload}}`))).toEqual({ status: 400, type: 'bad_request' });
  });

  test('a body with brackets in its texts is only as deep as its lists and objects', async () => {
    const { status } = await app.ask('POST', '/auth', {
      payload: { email: school.admin.email, password: `${'["{'.repeat(50)}\\` },
    });
    expect(status).toBe(401);
  });

  test('a body with half a surrogate pair is accepted with U+FFFD in its place, wherever it is', async () => {
    const halves = 'Wrens \ud800 \udc00\ud83d';
    const { token } = school.admin;
    const { status, reply } = await app.ask('POST', `/enterprises/${school.id}/groups`, {
      token,
      payload: { name: `${halves} \u{1F426} \\ud800` },
      headers: { 'idempotency-key': 'half a surrogate pair' },
    });
    expect(status).toBe(200);
    expect((reply as ReplyOf<typeof classCalls.createClass>).group.name).toBe(
      'Wrens \ufffd \ufffd\ufffd \u{1F426} \\ud800',
    );
    const renamed = await app.ask('POST', `/enterprises/${school.id}`, { token, payload: { name: halves } });
    expect(renamed.status).toBe(200);
  });

  test('a missing body is answered with 422 and names every field', async () => {
    const { status, error } = await app.ask('POST', '/auth');
    expect({ status, type: error.error_type }).toEqual({ status: 422, type: 'validation' });
  });

  test('a body is not read before the session is known: without one a large body is answered with 401', async () => {
    const response = await app.fastify.inject({
      method: 'POST',
      url: '/v1/reader/sessions',
      payload: `{"sessions":[${'"x",'.repeat(10)}`,
      headers: json,
    });
    expect(errorOf(response)).toEqual({ status: 401, type: 'authentication' });
  });

  test('a body with names of the prototype changes only the given fields', async () => {
    const pupil = school.unplaced;
    const payload = `{"name":"Mina Rahman","__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}`;
    const { status } = await app.ask('POST', `/enterprises/${school.id}/readers/${pupil.id}`, {
      token: school.admin.token,
      payload,
    });
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });
});

describe('wrong fields', () => {
  test.each([
    [{ email: 7, password: 'x' }, { email: ['Enter an email address.'] }],
    [{ email: 'no-address', password: 'x' }, { email: ['Enter an email address such as name@school.sch.uk.'] }],
    [{ email: 'a@test.example', password: ['x'] }, { password: ['Enter a password.'] }],
    [
      { email: null, password: null },
      { email: ['Enter an email address.'], password: ['Enter a password.'] },
    ],
  ])('of %j are named with a text for a person', async (payload, errors) => {
    const { status, error } = await app.ask('POST', '/auth', { payload });
    expect({ status, errors: error.errors }).toEqual({ status: 422, errors });
    // Clients that show one text get the reasons in it.
    for (const [text] of Object.values(errors)) expect(error.error).toContain(text);
  });

  test('errors deep in a query are named by their path', async () => {
    const { error } = await app.ask('GET', `/enterprises/${school.id}/readers?sort[name]=sideways&page=x`, {
      token: school.admin.token,
    });
    expect(Object.keys(error.errors ?? {}).sort()).toEqual(['page', 'sort.name']);
  });
});

describe('an address', () => {
  test.each([
    '/v1/nothing',
    '/v1',
    '/v1/',
    '/v1/AUTH',
    '/v1/enterprises/%zz',
    '/v1/enterprises/1%2F2',
    `/v1/enterprises/${'1'.repeat(600)}`,
    '/v1/users/me%00',
    '/nothing',
  ])('%s, which the API does not have, is 404 as JSON', async (url) => {
    const response = await app.fastify.inject({
      method: 'GET',
      url,
      headers: { authorization: `Bearer ${school.admin.token}` },
    });
    expect(response.headers).toMatchObject({
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'cache-control': 'no-store',
    });
    expect(errorOf(response)).toEqual({ status: 404, type: 'not_found' });
  });

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const)(
    'with the method %s that it does not have is 404 as JSON',
    async (method) => {
      expect(errorOf(await app.fastify.inject({ method, url: '/v1/users/me' }))).toEqual({
        status: 404,
        type: 'not_found',
      });
    },
  );
});

describe('every answer', () => {
  const answers = async () => [
    await app.fastify.inject({ method: 'GET', url: '/v1/health' }),
    await app.fastify.inject({ method: 'GET', url: '/v1/nothing' }),
    await app.fastify.inject({ method: 'GET', url: '/v1/users/me' }),
    await app.fastify.inject({
      method: 'GET',
      url: '/v1/users/me',
      headers: { authorization: `Bearer ${school.admin.token}` },
    }),
    await login('{'),
  ];

  test('a reply has its own ID, which the client cannot choose', async () => {
    const ids = (await answers()).map(({ headers }) => String(headers['x-request-id']));
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
    expect(new Set(ids).size).toBe(ids.length);
    const forged = await app.fastify.inject({
      method: 'GET',
      url: '/v1/health',
      headers: { 'x-request-id': 'forged', 'request-id': 'forged' },
    });
    expect(forged.headers['x-request-id']).not.toBe('forged');
  });

  test('browsers revalidate the API reference after each upgrade', async () => {
    const { statusCode, headers } = await app.fastify.inject('/v1/docs');
    expect({ statusCode, cached: headers['cache-control'] }).toEqual({ statusCode: 200, cached: 'no-cache' });
  });

  test('a reply has the security headers', async () => {
    for (const { headers } of await answers()) {
      const policy = String(headers['content-security-policy']);
      for (const directive of [
        "default-src 'self'",
        "script-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ])
        expect(policy).toContain(directive);
      expect(/script-src [^;]*unsafe/.test(policy)).toBe(false);
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' });
      expect(headers).not.toHaveProperty('x-powered-by');
      expect(headers).not.toHaveProperty('server');
      // The app in a test is not behind TLS: HSTS would lock clients out.
      expect(headers).not.toHaveProperty('strict-transport-security');
    }
  });

  test('the reply of a call is not cached', async () => {
    for (const { headers } of await answers()) expect(headers['cache-control']).toBe('no-store');
  });
});

test('a path is the same with a trailing slash', async () => {
  const { token } = await app.build.person('enterprise');
  const { status } = await app.ask('POST', '/enterprises/', { token, payload: { name: 'Slash End Primary' } });
  expect(status).toBe(200);
});

test('an address that a client claims is ignored without a trusted proxy', async () => {
  const tries = (n: number) =>
    app.fastify.inject({
      method: 'POST',
      url: '/v1/auth',
      payload: { email: `unknown-${n}@test.example`, password: 'x' },
      headers: { 'x-forwarded-for': `10.0.0.${n}` },
      remoteAddress: '192.0.2.7',
    });
  const statuses = [];
  for (let n = 0; n < 101; n += 1) statuses.push((await tries(n)).statusCode);
  expect(statuses.filter((status) => status === 401)).toHaveLength(100);
  expect(statuses.at(-1)).toBe(429);
});

test('a body that names another school than the path changes nothing there', async () => {
  const other = await app.build.school();
  const { status, reply } = await app.ask('POST', `/enterprises/${school.id}/readers/${school.unplaced.id}`, {
    token: school.admin.token,
    payload: { name: 'Own Pupil', school_id: other.id, id: other.unplaced.id },
  });
  expect({ status, id: (reply as ReplyOf<typeof pupilCalls.renamePupil>).reader.id }).toEqual({
    status: 200,
    id: school.unplaced.id,
  });
  const foreign = await app.call(pupilCalls.renamePupil, {
    params: { id: other.id, readerId: other.unplaced.id },
    body: { name: 'Mina Rahman' },
    token: other.admin.token,
  });
  expect(foreign.reply.reader.name).toBe('Mina Rahman');
  expect(
    (await app.call(accessCalls.logIn, { body: { email: other.admin.email, password: 'reading-1' } })).status,
  ).toBe(200);
});
