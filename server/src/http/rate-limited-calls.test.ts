import { api } from '#contract/api.ts';
import { type Call, isInSchool } from '#contract/call.ts';
import { EXAMPLE } from '#contract/examples.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import type { BuiltSchool } from '../testing/builder.ts';

const app = testApp();
const START = Date.parse('2026-11-18T12:00:00.000Z');
const NO_TOKEN = 'A'.repeat(43);
const UNKNOWN_INVITE = '5f0c1c1e-0000-4000-8000-000000000000';

interface Setting {
  school: BuiltSchool;
  invite: string;
}
/** The `n`th request, which differs from the others in what the limit does not count. */
type Ask = (n: number, setting: Setting) => { path?: string; body?: object; token?: string };

const tokenOf = (n: number) => String(n).padStart(NO_TOKEN.length, 'B');
let counter = 0;
const newEmail = () => `limited-${(counter += 1)}@test.example`;
const someone = () => ({ first_name: 'Robin', last_name: 'Reed', email: newEmail(), password: 'kettle over 7 hills' });
const contact = {
  contact_name: 'Robin Reed',
  address_line_1: '1 Reed Row',
  postcode: 'SW1A 1AA',
  telephone: '+442079460000',
};

const limits: [call: string, by: 'address' | 'account' | 'user' | 'pupil', tries: number, seconds: number, ask: Ask][] =
  [
    [
      'POST /auth',
      'account',
      10,
      300,
      (_n, { school }) => ({ body: { email: school.teacher.email, password: 'guess' } }),
    ],
    ['POST /auth', 'address', 100, 300, () => ({ body: { email: newEmail(), password: 'guess' } })],
    ['POST /users', 'address', 60, 3600, () => ({ body: someone() })],
    [
      'POST /users/me',
      'user',
      10,
      300,
      (_n, { school }) => ({
        token: school.teacher.token,
        body: { email: newEmail(), current_password: 'guess' },
      }),
    ],
    ['POST /users/email/confirm', 'address', 100, 300, () => ({ body: { token: NO_TOKEN } })],
    ...['verify', 'stop', 'agree'].map((step): (typeof limits)[number] => [
      `POST /users/email-change/${step}`,
      'address',
      100,
      300,
      () => ({ body: { token: NO_TOKEN } }),
    ]),
    ['POST /users/me/confirmation', 'user', 5, 3600, (_n, { school }) => ({ token: school.teacher.token })],
    [
      'POST /users/me/enterprise',
      'user',
      100,
      3600,
      (_n, { school }) => ({ token: school.teacher.token, body: { enterprise_id: school.id } }),
    ],
    [
      'POST /enterprises/{id}/admin-request',
      'user',
      5,
      3600,
      (_n, { school }) => ({
        path: `/enterprises/${school.id}/admin-request`,
        token: school.teacher.token,
        body: { former_admin_ids: [school.admin.id], new_admin_id: school.teacher.id },
      }),
    ],
    ['POST /users/sessions/end', 'address', 100, 300, () => ({ body: { token: NO_TOKEN } })],
    ['POST /users/setup/exchange', 'address', 100, 300, () => ({ body: { token: NO_TOKEN } })],
    ['POST /users/resetpassword', 'account', 5, 3600, (_n, { school }) => ({ body: { email: school.teacher.email } })],
    ['POST /users/resetpassword', 'address', 60, 3600, () => ({ body: { email: newEmail() } })],
    [
      'POST /users/password/update',
      'address',
      100,
      300,
      () => ({ body: { token: NO_TOKEN, password: 'kettle over 7 hills' } }),
    ],
    ['POST /users/password/verify', 'address', 100, 300, () => ({ body: { token: NO_TOKEN } })],
    [
      'POST /enterprises',
      'address',
      30,
      3600,
      (_n, { school }) => ({ token: school.admin.token, body: { name: 'Reed Row Primary', type: 'school' } }),
    ],
    [
      'POST /enterprises/setup',
      'address',
      30,
      3600,
      () => ({
        body: {
          school: { name: 'Reed Row Primary', type: 'school' },
          contact,
          user: { ...someone(), accept_eula: true, accepts_ts_and_cs: true },
        },
      }),
    ],
    [
      'POST /enterprises/{id}/invites',
      'user',
      30,
      3600,
      (_n, { school }) => ({
        path: `/enterprises/${school.id}/invites`,
        token: school.admin.token,
        body: { email: [newEmail()], name: ['Robin'] },
      }),
    ],
    [
      'POST /enterprises/{id}/invites/{inviteId}/resend',
      'user',
      100,
      3600,
      (_n, { school, invite }) => ({
        path: `/enterprises/${school.id}/invites/${invite}/resend`,
        token: school.admin.token,
      }),
    ],
    [
      'GET /enterprises/invites/{inviteId}',
      'address',
      200,
      300,
      () => ({ path: `/enterprises/invites/${UNKNOWN_INVITE}` }),
    ],
    [
      'POST /enterprises/invites/{inviteId}/decline',
      'address',
      100,
      300,
      () => ({ path: `/enterprises/invites/${UNKNOWN_INVITE}/decline` }),
    ],
    ['POST /digest/unsubscribe', 'address', 100, 300, () => ({ body: { token: NO_TOKEN } })],
    [
      'POST /reader/sessions',
      'pupil',
      120,
      300,
      (_n, { school }) => ({ token: school.unplaced.token, body: { sessions: [{}] } }),
    ],
    ['POST /reader/auth', 'address', 300, 300, (n) => ({ body: { username: `unknown-${n}`, password: 'guess' } })],
    [
      'POST /contactus/subscriptions/{action}',
      'address',
      20,
      3600,
      () => ({
        path: '/contactus/subscriptions/start',
        body: { time: '9', contact_number: '+442079460000', email: newEmail(), contact_preference: 'phone' },
      }),
    ],
    [
      'POST /contactus/enquiries',
      'user',
      10,
      3600,
      (_n, { school }) => ({ token: school.teacher.token, body: { subject: 'Cards', message: 'How many?' } }),
    ],
    ['GET /invoices/{invoiceToken}', 'address', 120, 3600, () => ({ path: `/invoices/${NO_TOKEN}` })],
    [
      'POST /invoices/{invoiceToken}/card-payments',
      'address',
      20,
      3600,
      () => ({ path: `/invoices/${NO_TOKEN}/card-payments` }),
    ],
    ['POST /auth/code', 'address', 30, 300, () => ({ body: { code: 'K7PM-3XQR-9DTW' } })],
    [
      'POST /enterprises/{id}/covers/{coverId}/card',
      'user',
      60,
      3600,
      (_n, { school: { id, admin } }) => ({ path: `/enterprises/${id}/covers/1/card`, token: admin.token }),
    ],
    [
      'POST /enterprises/{id}/readers/password/reset',
      'user',
      120,
      3600,
      (_n, { school: { id, admin, ownClass } }) => ({
        path: `/enterprises/${id}/readers/password/reset`,
        body: { reader_ids: [ownClass.pupils[0]?.id] },
        token: admin.token,
      }),
    ],
    [
      'GET /enterprises/{id}/export',
      'user',
      20,
      3600,
      (_n, { school: { id, admin } }) => ({ path: `/enterprises/${id}/export`, token: admin.token }),
    ],
    ['POST /auth/factor', 'account', 5, 300, () => ({ body: { token: NO_TOKEN, code: '000000' } })],
    ['POST /auth/factor', 'address', 100, 300, (n) => ({ body: { token: tokenOf(n), code: '000000' } })],
    ...['authenticator', 'authenticator/confirm', 'passkey-options', 'passkey'].flatMap((step): typeof limits => {
      const body = { code: '000000', name: 'Phone', passkey: EXAMPLE.passkey };
      const call = `POST /auth/enrolment/${step}`;
      return [
        [call, 'account', 20, 300, () => ({ body: { ...body, token: NO_TOKEN } })],
        [call, 'address', 200, 300, (n) => ({ body: { ...body, token: tokenOf(n) } })],
      ];
    }),
    ['POST /auth/passkey-options', 'address', 300, 300, () => ({})],
    ['POST /auth/passkey', 'address', 100, 300, () => ({ body: { passkey: EXAMPLE.passkey } })],
    [
      'POST /users/me/proof',
      'user',
      10,
      3600,
      (_n, { school }) => ({ token: school.admin.token, body: { password: 'guess' } }),
    ],
    [
      'POST /users/me/proof/passkey',
      'user',
      10,
      300,
      (_n, { school }) => ({ token: school.admin.token, body: { passkey: EXAMPLE.passkey } }),
    ],
    ['POST /users/me/factors/authenticator', 'user', 20, 3600, (_n, { school }) => ({ token: school.admin.token })],
    [
      'POST /users/me/factors/authenticator/confirm',
      'user',
      10,
      300,
      (_n, { school }) => ({ token: school.admin.token, body: { code: '000000', name: 'Phone' } }),
    ],
    ['POST /users/me/factors/passkey-options', 'user', 20, 3600, (_n, { school }) => ({ token: school.admin.token })],
    [
      'POST /users/me/factors/passkeys',
      'user',
      10,
      300,
      (_n, { school }) => ({ token: school.admin.token, body: { passkey: EXAMPLE.passkey, name: 'Laptop' } }),
    ],
    [
      'POST /users/me/linked-accounts',
      'user',
      20,
      3600,
      (_n, { school }) => ({ token: school.admin.token, body: { provider: 'microsoft' } }),
    ],
    [
      'POST /users/me/linked-accounts/set-up',
      'user',
      20,
      3600,
      (_n, { school }) => ({ token: school.admin.token, body: { provider: 'microsoft' } }),
    ],
    [
      'POST /enterprises/{id}/sign-in-connections/{provider}',
      'user',
      60,
      3600,
      (_n, { school }) => ({
        path: `/enterprises/${school.id}/sign-in-connections/microsoft`,
        token: school.admin.token,
        body: {},
      }),
    ],
    ...['', '/{programId}'].map((path): (typeof limits)[number] => [
      `POST /enterprises/{id}/programs${path}`,
      'user',
      60,
      3600,
      (_n, { school: { id, admin } }) => ({
        path: `/enterprises/${id}/programs${path.replace('{programId}', '1')}`,
        token: admin.token,
        body: {},
      }),
    ]),
    [
      'POST /enterprises/{id}/provider-only',
      'user',
      60,
      3600,
      (_n, { school }) => ({
        path: `/enterprises/${school.id}/provider-only`,
        token: school.admin.token,
        body: { provider_only: false },
      }),
    ],
    ...['test', 'check'].map((step): (typeof limits)[number] => [
      `POST /enterprises/{id}/school-records/connection/${step}`,
      'user',
      30,
      3600,
      (_n, { school: { id, admin } }) => ({
        path: `/enterprises/${id}/school-records/connection/${step}`,
        token: admin.token,
      }),
    ]),
    ['POST /users/me/recovery-codes', 'user', 10, 3600, (_n, { school }) => ({ token: school.admin.token })],
    ['POST /auth/impersonate', 'address', 100, 300, () => ({ body: { code: NO_TOKEN } })],
  ];

/** Tested in `guesses-by-strangers.test.ts`, because a token alone says who the user is. */
const BY_TOKEN = 'POST /auth/factor: 10 in 3600 s by user';
/** Tested in `pupil-guesses.test.ts`, because it delays and never stops. */
const SLOWS_DOWN = 'POST /reader/auth: 5 in 3600 s by account';

/** An address in a network of its own, from the block reserved for documentation. */
const addressOf = (n: number) => `2001:db8:${n.toString(16)}::1`;
let addresses = 0;

async function send(call: string, remoteAddress: string, { path, body, token }: ReturnType<Ask>) {
  const [method, declared] = call.split(' ');
  const response = await app.fastify.inject({
    method: method as 'GET',
    url: `/v1${path ?? declared}`,
    remoteAddress,
    ...(body && { payload: body }),
    headers: token ? { authorization: `Bearer ${token}` } : {},
  });
  return {
    status: response.statusCode,
    retryAfter: Number(response.headers['retry-after'] ?? 0),
    text: response.payload,
  };
}

beforeEach(() => app.setTime(new Date(START).toISOString()));

test('the contract has these rate limits and no others', () => {
  const declared = Object.values<Call>(api).flatMap(({ method, path, rateLimits = [] }) =>
    rateLimits.map(({ by, tries, seconds }) => `${method} ${path}: ${tries} in ${seconds} s by ${by}`),
  );
  expect(declared.sort()).toEqual(
    [
      BY_TOKEN,
      SLOWS_DOWN,
      ...limits.map(([call, by, tries, seconds]) => `${call}: ${tries} in ${seconds} s by ${by}`),
    ].sort(),
  );
});

/** Requests to send before the count is set: more would take too long and prove nothing, because the same code counts on. */
const DRIVEN = 10;

/** Continues the only count that has reached a number behind another one. */
async function setCount(from: number, to: number): Promise<void> {
  const counts = app.database.kysely.updateTable('rate_limits').where('tries', '=', from);
  const { numUpdatedRows } = await counts.set({ tries: to }).executeTakeFirstOrThrow();
  expect(numUpdatedRows).toBe(1n);
}

test.each(limits)(
  '%s answers 429 after a limit by %s of %i requests in %i seconds, says when it ends, and goes on after them',
  async (call, by, tries, seconds, ask) => {
    const school = await app.build.school();
    const setting = { school, invite: (await app.build.invite(school)).id };
    const first = (addresses += 1);
    const request = (n: number) => send(call, addressOf(by === 'address' ? first : (addresses += 1)), ask(n, setting));
    await app.database.kysely.deleteFrom('rate_limits').execute();
    const driven = Math.min(DRIVEN, tries);
    // One after the other: of files at once, those too many are rejected before they are counted.
    for (let n = 0; n < driven; n += 1) expect((await request(n)).status).not.toBe(429);
    if (tries > driven) {
      await setCount(driven, tries - 1);
      expect((await request(driven)).status).not.toBe(429);
    }
    expect(await request(tries)).toMatchObject({ status: 429, retryAfter: seconds });
    app.setTime(new Date(START + (seconds / 6) * 1000).toISOString());
    const rejected = await request(tries);
    expect(rejected).toMatchObject({ status: 429, retryAfter: (seconds / 6) * 5 });
    expect(rejected.text).toContain(seconds === 3600 ? ' 50 minutes' : ' 5 minutes');

    app.setTime(new Date(START + seconds * 1000).toISOString());
    expect((await request(tries + 1)).status).not.toBe(429);
  },
);

test('POST /reader/auth only counts failures by address: after 299 wrong passwords pupils log in, and one more is the limit of all but their school', async () => {
  const [school, other] = [await app.build.school(), await app.build.school()];
  const address = addressOf((addresses += 1));
  const logIn = async (password: string, username = school.unplaced.username) =>
    (await send('POST /reader/auth', address, { body: { username, password } })).status;
  await app.database.kysely.deleteFrom('rate_limits').execute();
  for (let n = 0; n < DRIVEN; n += 1) expect(await logIn('guess', `pupil-${n}`)).toBe(401);
  await setCount(DRIVEN, 299);
  for (let n = 0; n < DRIVEN; n += 1) expect(await logIn('reading-1')).toBe(200);
  expect(await logIn('guess', 'pupil-299')).toBe(401);
  expect(await logIn('reading-1', other.unplaced.username)).toBe(429);
  expect(await logIn('reading-1')).toBe(200);
});

test('limits of calls in a school count successes, because nothing resets their attempts', () => {
  const resetting = Object.values<Call>(api).filter(
    (call) =>
      (isInSchool(call) || call.method === 'GET') &&
      call.rateLimits?.some((limit) => (limit.by === 'address' ? limit.countsFailuresOnly : !limit.countsSuccesses)),
  );
  expect(resetting.map((call) => call.name)).toEqual([]);
});
