import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { signInProviderCalls as calls } from '#contract/calls/sign-in-providers.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { readLoginStep } from '#contract/login-step.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import pg from 'pg';
import { afterAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { outbound } from '../../../http/outbound-fetch.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { guessAsStrangers, makeClient } from '../../../testing/client-at.ts';
import { ProviderBrowser } from '../../../testing/provider-browser.ts';
import { settingsFor, startTestProvider } from '../../../testing/sign-in-provider.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';
import { readPerson } from './provider-claims.service.ts';

const provider = await startTestProvider();
afterAll(() => provider.stop());

const MICROSOFT = 'https://login.microsoftonline.com';
const GOOGLE = 'https://accounts.google.com';

const makeFetch = outbound.makeFetch;
/** The test's provider describes itself as Microsoft or Google to requests for theirs. */
const standIn = vi.spyOn(outbound, 'makeFetch').mockImplementation((allowsPrivate) => {
  const fetch = makeFetch(allowsPrivate);
  return async (url, request) => {
    const { origin } = new URL(url);
    if (origin !== MICROSOFT && origin !== GOOGLE) return fetch(url, request);
    const description = await fetch(`${provider.issuer}/.well-known/openid-configuration`, {});
    return Response.json({
      ...((await description.json()) as object),
      issuer: origin === GOOGLE ? GOOGLE : `${MICROSOFT}/{tenantid}/v2.0`,
      authorization_response_iss_parameter_supported: false,
    });
  };
});
afterAll(() => standIn.mockRestore());

const ORIGIN = 'https://portal.test.example';
const app = testApp({
  PUBLIC_URL: ORIGIN,
  ...settingsFor(provider),
  MICROSOFT_CLIENT_ID: provider.client.id,
  MICROSOFT_CLIENT_SECRET: provider.client.secret,
  GOOGLE_CLIENT_ID: 'portal.apps.googleusercontent.com',
  GOOGLE_CLIENT_SECRET: provider.client.secret,
});

const NOON = Date.parse('2026-11-18T12:00:00.000Z');
const MINUTE = 60_000;
let passed = 0;
const later = (ms: number) => app.setTime(new Date(NOON + (passed += ms)).toISOString());

let counter = 0;
/** A new account at the provider. */
function newAccount(claims: Record<string, unknown> = {}): string {
  const id = `subject-${(counter += 1)}`;
  provider.addAccount(id, claims);
  return id;
}

beforeEach(async () => {
  provider.changeToken = undefined;
  provider.isDown = false;
  provider.repeatsTokens = false;
  passed = 0;
  later(0);
  await app.runJobs();
  app.mails.length = 0;
  await app.database.kysely.deleteFrom('rate_limits').execute();
});

class Browser extends ProviderBrowser {
  constructor(sessionToken?: string) {
    super(app, provider, sessionToken);
  }
}

const me = async (token: string | undefined) =>
  (await app.call(accessCalls.getMe, { ...(token && { token }) })).reply?.user;

const beginLink = (token: string, id = 'trust') => app.call(calls.linkAccount, { token, body: { provider: id } });

/** Links an account to a user; returns the outcome. */
async function linkAs(person: { token: string }, accountId: string, id = 'trust'): Promise<string> {
  const { status, reply } = await beginLink(person.token, id);
  expect(status).toBe(200);
  const to = await new Browser(person.token).finish(reply.url, accountId);
  return new URL(to, ORIGIN).searchParams.get('sign-in') ?? to;
}

const connect = (school: BuiltSchool, countsSecondFactor = false, id = 'trust') =>
  app.call(calls.saveSignInConnection, {
    token: school.admin.token,
    params: { id: school.id, provider: id },
    body: { counts_second_factor: countsSecondFactor },
  });

/** A school that uses the provider, whose admin has linked an account. */
async function connectedSchool(countsSecondFactor = false) {
  const school = await app.build.school();
  const account = newAccount();
  expect(await linkAs(school.admin, account)).toBe('linked');
  expect((await connect(school, countsSecondFactor)).status).toBe(200);
  return { school, account };
}

test('a login through a provider makes the browser known, so that strangers’ guesses do not lock it out', async () => {
  const { school, account } = await connectedSchool();
  const browser = new Browser();
  expect(await browser.finish('/sign-in/trust', account)).toBe('/');
  await guessAsStrangers(app, school.admin.email, 12);
  const device = makeClient(app, '192.0.2.1');
  const logIn = () => device.send(accessCalls.logIn, { email: school.admin.email, password: PASSWORD });
  expect((await logIn()).status).toBe(429);
  device.cookie = `__Host-device=${browser.cookies.get('__Host-device')}`;
  expect((await logIn()).status).toBe(200);
});

const audited = async (schoolId: number) =>
  (
    await app.database.kysely
      .selectFrom('audit_log')
      .select('action')
      .where('school_id', '=', schoolId)
      .orderBy('id')
      .execute()
  ).map(({ action }) => action);

const FAILED = '/login?sign-in=failed';

describe('signing in', () => {
  test('a linked account logs in, and leads to the wanted path', async () => {
    const { school, account } = await connectedSchool();
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust?redirect=%2Fpupils%3Fsearch%3Dada', account)).toBe(
      '/pupils?search=ada',
    );
    expect((await me(browser.session))?.id).toBe(school.admin.id);
    expect(await audited(school.id)).toEqual(['login_provider_linked', 'login_connection_changed', 'logged_in']);
    const events = app.database.kysely.selectFrom('login_events').select(['user_id', 'method']);
    expect(await events.where('school_id', '=', school.id).execute()).toEqual([
      { user_id: school.admin.id, method: 'trust' },
    ]);
    expect(browser.cookies.has('__Host-device')).toBe(true);
    expect(browser.cookies.has('__Host-sign-in')).toBe(false);
  });

  test.each([
    ['/pupils?search=Łukasik', '/pupils?search=%C5%81ukasik'],
    ['/pupils?search=🦉', '/pupils?search=%F0%9F%A6%89'],
    ['/.//evil.example', '/'],
    ['/pupils\r\nX-Forged: 1', '/'],
  ])('for the page %j logs in and goes to %s', async (redirect, to) => {
    const { school, account } = await connectedSchool();
    const browser = new Browser();
    expect(await browser.finish(`/sign-in/trust?${new URLSearchParams({ redirect })}`, account)).toBe(to);
    expect((await me(browser.session))?.id).toBe(school.admin.id);
  });

  test('signing in leads to a page of many letters beyond ASCII only if it fits into the cookie', async () => {
    const { account } = await connectedSchool();
    const land = (letters: number) =>
      new Browser().finish(`/sign-in/trust?${new URLSearchParams({ redirect: `/${'Ł'.repeat(letters)}` })}`, account);
    expect(await land(150)).toBe(`/${'%C5%81'.repeat(150)}`);
    expect(await land(170)).toBe('/');
  });

  test('signing in uses a code, PKCE, state and nonce, and a cookie of this site alone', async () => {
    const { to, cookies } = await new Browser().get('/sign-in/trust');
    const { searchParams } = new URL(to);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge_method: 'S256',
      redirect_uri: `${ORIGIN}/sign-in/trust/callback`,
      scope: 'openid profile',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) expect(searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    expect(cookies).toEqual([
      expect.objectContaining({
        name: '__Host-sign-in',
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
        path: '/',
        maxAge: 600,
      }),
    ]);
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example/', '/\t/evil.example', 'javascript:alert(1)'])(
    'does not lead to %j',
    async (redirect) => {
      const { account } = await connectedSchool();
      expect(await new Browser().finish(`/sign-in/trust?${new URLSearchParams({ redirect })}`, account)).toBe('/');
    },
  );

  test('signing in with an unknown account creates none', async () => {
    await connectedSchool();
    const users = () =>
      app.database.kysely
        .selectFrom('users')
        .select(({ fn }) => fn.countAll().as('count'))
        .execute();
    const before = await users();
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', newAccount())).toBe('/login?sign-in=unknown');
    expect(browser.session).toBeUndefined();
    expect(await users()).toEqual(before);
  });

  test('a provider’s account with another person’s email address logs in as no one, verified or not (nOAuth)', async () => {
    const { school } = await connectedSchool();
    for (const email_verified of [true, false, undefined]) {
      const browser = new Browser();
      const stranger = newAccount({ email: school.admin.email, email_verified });
      expect(await browser.finish('/sign-in/trust', stranger)).toBe('/login?sign-in=unknown');
      expect(browser.session).toBeUndefined();
    }
  });

  test('a provider’s account with a changed subject and the same address is another account', async () => {
    const { account } = await connectedSchool();
    provider.changeToken = (claims) => ({ ...claims, sub: `${account}-new` });
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/login?sign-in=unknown');
  });

  test.each([
    ['the claim email_verified as a string', { email_verified: 'false' }],
    ['a number as a name', { given_name: 7 }],
    ['an empty subject', { sub: '' }],
  ])('rejects %s', async (_, wrong) => {
    const { account } = await connectedSchool();
    provider.changeToken = (claims) => ({ ...claims, ...wrong });
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', account)).toMatch(/sign-in=(failed|not-allowed)$/);
    expect(browser.session).toBeUndefined();
  });

  test.each([
    ['nonce', { nonce: 'another' }],
    ['missing nonce', { nonce: undefined }],
    ['audience', { aud: 'another' }],
    ['issuer', { iss: 'https://evil.example' }],
    ['expiry, two minutes ago', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['beginning, in two minutes', { nbf: Math.floor(Date.now() / 1000) + 120 }],
  ])('rejects a token with a wrong %s', async (_, wrong) => {
    const { account } = await connectedSchool();
    provider.changeToken = (claims) => ({ ...claims, ...wrong });
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', account)).toBe(FAILED);
    expect(browser.session).toBeUndefined();
  });

  test('accepts an ID token whose clock differs by a few seconds', async () => {
    const { account } = await connectedSchool();
    provider.changeToken = (claims) => ({ ...claims, nbf: Math.floor(Date.now() / 1000) + 20 });
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });

  test('rejects an ID token that another key has signed', async () => {
    const { account } = await connectedSchool();
    // The portal has read the keys; the token has the name of a known one.
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
    provider.forgeNext();
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', account)).toBe(FAILED);
    expect(browser.session).toBeUndefined();
  });

  test('signing in goes on after the provider has changed its key', async () => {
    const { account } = await connectedSchool();
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
    provider.rotateKey();
    later(60 * MINUTE);
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });

  test('takes each callback of a provider once', async () => {
    const { account } = await connectedSchool();
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    const cookie = browser.cookies.get('__Host-sign-in') ?? '';
    expect((await browser.get(callback)).to).toBe('/');
    // With the cookie put back, the provider rejects the code.
    const thief = new Browser();
    expect((await thief.get(callback)).to).toBe(FAILED);
    thief.cookies.set('__Host-sign-in', cookie);
    expect((await thief.get(callback)).to).toBe(FAILED);
    expect(thief.session).toBeUndefined();
  });

  test('takes each state of a sign-in once, even if the provider gives a second token', async () => {
    const { school, account } = await connectedSchool();
    provider.repeatsTokens = true;
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    const [thief, patient] = [new Browser(), new Browser()];
    thief.cookies = new Map(browser.cookies);
    patient.cookies = new Map(browser.cookies);
    expect((await browser.get(callback)).to).toBe('/');
    expect((await thief.get(callback)).to).toBe(FAILED);
    // As long as the cookie is valid, also after the nightly cleanup.
    later(10 * MINUTE - 1);
    await app.runJobs({ scheduled: true });
    expect((await patient.get(callback)).to).toBe(FAILED);
    expect([thief.session, patient.session]).toEqual([undefined, undefined]);
    expect((await me(browser.session))?.id).toBe(school.admin.id);
  });

  test('a callback that arrives twice at once logs in once', async () => {
    const { account } = await connectedSchool();
    provider.repeatsTokens = true;
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    const copies = [0, 1].map(() => {
      const copy = new Browser();
      copy.cookies = new Map(browser.cookies);
      return copy;
    });
    const ends = await Promise.all(copies.map((copy) => copy.get(callback)));
    expect(ends.map(({ to }) => to).sort()).toEqual(['/', FAILED]);
    expect(copies.filter(({ session }) => session !== undefined)).toHaveLength(1);
  });

  test('a sign-in ends in the browser in which it began (login CSRF)', async () => {
    const { account } = await connectedSchool();
    const attacker = new Browser();
    const callback = await attacker.signIn('/sign-in/trust', account);
    const victim = new Browser();
    expect((await victim.get(callback)).to).toBe(FAILED);
    // Also where the victim has begun one.
    await victim.get('/sign-in/trust');
    expect((await victim.get(callback)).to).toBe(FAILED);
    expect(victim.session).toBeUndefined();
  });

  test('a sign-in ends within ten minutes', async () => {
    const { account } = await connectedSchool();
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    later(10 * MINUTE);
    expect((await browser.get(callback)).to).toBe(FAILED);
  });

  test('a sign-in at one provider does not end at another', async () => {
    const { account } = await connectedSchool();
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    // The other one is not even asked.
    provider.isDown = true;
    expect((await browser.get(callback.replace('/trust/', '/microsoft/'))).to).toBe(FAILED);
  });

  test('returns to the login form when the visitor cancels at the provider', async () => {
    const browser = new Browser();
    const { to } = await browser.get('/sign-in/trust');
    const state = new URL(to).searchParams.get('state') ?? '';
    const iss = encodeURIComponent(provider.issuer);
    const { to: end } = await browser.get(`/sign-in/trust/callback?error=access_denied&state=${state}&iss=${iss}`);
    expect(end).toBe(FAILED);
  });

  test('a visitor learns that the provider cannot be reached, and the password still works', async () => {
    const { school, account } = await connectedSchool();
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust?redirect=%2Fpupils', account);
    provider.isDown = true;
    expect((await browser.get(callback)).to).toBe('/login?sign-in=unavailable&redirect=%2Fpupils');
    // Until then the portal remembers where the provider's pages are.
    later(24 * 60 * MINUTE);
    expect((await new Browser().get('/sign-in/trust')).to).toBe('/login?sign-in=unavailable');
    const { status } = await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
    expect(status).toBe(200);
    // As soon as it is back.
    provider.isDown = false;
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });

  test('signing in at an unknown provider leads to the form', async () => {
    expect((await new Browser().get('/sign-in/nothing')).to).toBe(FAILED);
    expect((await new Browser().get('/sign-in/nothing/callback?code=1')).to).toBe(FAILED);
  });

  test('sign-ins are limited by network address', async () => {
    const tries = Array.from({ length: 100 }, () => new Browser().get('/sign-in/trust/callback?code=1&state=2'));
    for (const { to } of await Promise.all(tries)) expect(to).toBe(FAILED);
    expect((await new Browser().get('/sign-in/trust/callback?code=1&state=2')).to).toBe('/login?sign-in=limited');
  });

  test('at most 300 sign-ins begin in five minutes from a network address', async () => {
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 100 }, () => new Browser().get('/sign-in/trust')));
    expect((await new Browser().get('/sign-in/trust')).to).toBe('/login?sign-in=limited');
    later(5 * MINUTE);
    expect((await new Browser().get('/sign-in/trust')).to).toContain(provider.issuer);
  });

  test('a sign-in from a new device is announced by email', async () => {
    const { school, account } = await connectedSchool();
    await app.runJobs();
    app.mails.length = 0;
    await new Browser().finish('/sign-in/trust', account);
    await app.runJobs();
    expect(app.mails.map(({ recipient, kind }) => [recipient, kind])).toEqual([[school.admin.email, 'new_device']]);
  });

  test('a sign-in ends the session of another user in this browser', async () => {
    const { school, account } = await connectedSchool();
    const browser = new Browser(school.teacher.token);
    await browser.finish('/sign-in/trust', account);
    expect((await me(browser.session))?.id).toBe(school.admin.id);
    expect(await me(school.teacher.token)).toBeUndefined();
  });

  test('a sign-in that fails leaves the earlier session of this browser', async () => {
    const { school } = await connectedSchool();
    const browser = new Browser(school.teacher.token);
    expect(await browser.finish('/sign-in/trust', newAccount())).toBe('/login?sign-in=unknown');
    expect((await me(school.teacher.token))?.id).toBe(school.teacher.id);
  });

  test('a sign-in ends the earlier session of this browser', async () => {
    const { school, account } = await connectedSchool();
    const browser = new Browser(school.admin.token);
    await browser.finish('/sign-in/trust', account);
    expect((await me(browser.session))?.id).toBe(school.admin.id);
    expect(await me(school.admin.token)).toBeUndefined();
  });
});

describe('the second factor', () => {
  const later30 = () => later(30_000);
  async function addApp(token: string): Promise<() => string> {
    const { secret } = (await app.call(secondFactorCalls.beginAuthenticator, { token })).reply;
    const codeNow = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOON + passed });
    const body = { code: codeNow(), name: 'Phone' };
    expect((await app.call(secondFactorCalls.confirmAuthenticator, { token, body })).status).toBe(200);
    later30();
    return codeNow;
  }

  test('a second factor is still needed after a sign-in at the provider', async () => {
    const { school, account } = await connectedSchool();
    const code = await addApp(school.admin.token);
    const browser = new Browser();
    const to = new URL(await browser.finish('/sign-in/trust?redirect=%2Fpupils', account), ORIGIN);
    expect(to.pathname + to.search + to.hash).toBe('/login/second-step?redirect=%2Fpupils');
    expect(browser.session).toBeUndefined();
    const step = readLoginStep(browser.cookies.get('__Host-login-step'));
    expect(step?.methods).toEqual(['authenticator', 'recovery_code']);
    const body = { token: step?.token ?? '', code: code() };
    const { reply } = await app.call(secondFactorCalls.logInWithFactor, { body });
    expect(reply.user.id).toBe(school.admin.id);
  });

  test('a second factor is added first where the policy needs one and the provider’s does not count', async () => {
    const { school, account } = await connectedSchool();
    await app.database.kysely
      .updateTable('schools')
      .set({ admins_factor_from: '2026-11-18' })
      .where('id', '=', school.id)
      .execute();
    const browser = new Browser();
    const to = new URL(await browser.finish('/sign-in/trust', account), ORIGIN);
    expect(browser.session).toBeUndefined();
    expect(to.pathname).toBe('/login/enrolment');
    const body = { token: new URLSearchParams(to.hash.slice(1)).get('step') ?? '' };
    expect((await app.call(secondFactorCalls.beginEnrolmentApp, { body })).status).toBe(200);
    await app.database.kysely
      .updateTable('sign_in_connections')
      .set({ counts_second_factor: true })
      .where('school_id', '=', school.id)
      .execute();
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });

  test('the provider’s second factor counts where the school declares it', async () => {
    const { school, account } = await connectedSchool(true);
    await addApp(school.admin.token);
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });

  test('the provider’s second factor never counts for an operator', async () => {
    const { school, account } = await connectedSchool(true);
    await addApp(school.admin.token);
    await app.database.kysely
      .insertInto('operators')
      .values({ user_id: school.admin.id, added_at: new Date() })
      .execute();
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/login/second-step');
  });
});

describe('Microsoft', () => {
  const TENANT = '11111111-2222-4333-8444-555555555555';
  const OTHER = '99999999-2222-4333-8444-555555555555';
  const person = () => crypto.randomUUID();
  const issuedBy = (tid: unknown, oid: unknown) => (claims: object) => ({
    ...claims,
    aud: provider.client.id,
    iss: `${MICROSOFT}/${String(tid)}/v2.0`,
    tid,
    oid,
  });
  const asMicrosoft = async (browser: Browser, path: string) => {
    const callback = await browser.signIn(path, newAccount());
    const url = new URL(callback, ORIGIN);
    // Microsoft does not send it.
    url.searchParams.delete('iss');
    return (await browser.get(url.pathname + url.search)).to;
  };
  async function link(token: string): Promise<string> {
    const { reply } = await beginLink(token, 'microsoft');
    return asMicrosoft(new Browser(token), reply.url);
  }

  test('Microsoft: a person is recognised by tenant and object, in the tenant of the school alone', async () => {
    const school = await app.build.school();
    const [admin, teacher] = [person(), person()];
    provider.changeToken = issuedBy(TENANT, admin);
    expect(await link(school.admin.token)).toBe('/account/security?sign-in=linked');
    // Without a connection the school's staff cannot sign in with it.
    expect(await asMicrosoft(new Browser(), '/sign-in/microsoft')).toBe('/login?sign-in=not-allowed');
    expect((await connect(school, false, 'microsoft')).reply.connection.connection?.tenant).toBe(TENANT);
    expect(await asMicrosoft(new Browser(), '/sign-in/microsoft')).toBe('/');

    provider.changeToken = issuedBy(OTHER, teacher);
    expect(await link(school.teacher.token)).toBe('/account/security?sign-in=not-allowed');
    provider.changeToken = issuedBy(TENANT, teacher);
    expect(await link(school.teacher.token)).toBe('/account/security?sign-in=linked');
    provider.changeToken = issuedBy(OTHER, teacher);
    expect(await asMicrosoft(new Browser(), '/sign-in/microsoft')).toBe('/login?sign-in=unknown');
  });

  test('Microsoft: a school keeps the tenant of the admin who connected it', async () => {
    const school = await app.build.school();
    const admin = await app.build.staff(school, 'admin');
    for (const [{ token }, tenant] of [
      [school.admin, TENANT],
      [admin, OTHER],
    ] as const) {
      provider.changeToken = issuedBy(tenant, person());
      expect(await link(token)).toBe('/account/security?sign-in=linked');
    }
    const tenantAfter = async ({ token }: { token: string }) =>
      (await connect({ ...school, admin: { ...school.admin, token } }, true, 'microsoft')).reply.connection.connection
        ?.tenant;
    expect(await tenantAfter(school.admin)).toBe(TENANT);
    expect(await tenantAfter(admin)).toBe(TENANT);
    const change = await app.call(calls.saveSignInConnection, {
      token: admin.token,
      params: { id: school.id, provider: 'microsoft' },
      body: { counts_second_factor: false },
    });
    expect(change.status).toBe(200);
    const entries = await app.database.kysely
      .selectFrom('audit_log')
      .select('details')
      .where('school_id', '=', school.id)
      .where('action', '=', 'login_connection_changed')
      .execute();
    expect(entries.map(({ details }) => (details as { tenant: string }).tenant)).toEqual([TENANT, TENANT]);
  });

  test('Microsoft: an account of another tenant opens no school, also for a person who moved there', async () => {
    const [first, second] = [await app.build.school(), await app.build.school()];
    for (const [school, tenant] of [
      [first, TENANT],
      [second, OTHER],
    ] as const) {
      provider.changeToken = issuedBy(tenant, person());
      await link(school.admin.token);
      await connect(school, false, 'microsoft');
    }
    const teacher = person();
    provider.changeToken = issuedBy(TENANT, teacher);
    await link(first.teacher.token);
    const invite = await app.build.invite(second);
    expect(await asMicrosoft(new Browser(), `/sign-in/microsoft?invitation=${invite.link}`)).toBe(
      `/invite/${invite.link}?sign-in=not-allowed`,
    );
    const { id } = first.teacher;
    const params = { id: first.id, userId: id };
    expect((await app.call(teacherCalls.removeTeacher, { token: first.admin.token, params })).status).toBe(200);
    const staff = { school_id: second.id, user_id: id, role: 'teacher', joined_at: new Date() } as const;
    await app.database.kysely.insertInto('staff').values(staff).execute();
    const entered = { user_id: id, school_id: second.id, entered_at: new Date() };
    await app.database.kysely.insertInto('user_schools').values(entered).execute();
    expect(await asMicrosoft(new Browser(), '/sign-in/microsoft')).toBe('/login?sign-in=not-allowed');
  });

  test.each([
    ['a personal account', '9188040d-6c67-4c5b-b112-36a304b66dad', 'not-allowed'],
    ['a tenant of another form', 'common', 'not-allowed'],
    ['a tenant of another type', 7, 'not-allowed'],
  ])('rejects %s', async (_, tenant, outcome) => {
    provider.changeToken = issuedBy(tenant, person());
    expect(await asMicrosoft(new Browser(), '/sign-in/microsoft')).toBe(`/login?sign-in=${outcome}`);
  });

  test('Microsoft: rejects a token whose issuer is another tenant than it names', async () => {
    provider.changeToken = (claims) => ({ ...issuedBy(TENANT, person())(claims), iss: `${MICROSOFT}/${OTHER}/v2.0` });
    expect(await asMicrosoft(new Browser(), '/sign-in/microsoft')).toBe(FAILED);
    // The library has rejected it; without that the claims would be.
    const microsoft = app.services.config.signInProviders.find(({ id }) => id === 'microsoft')!;
    const claims = { ...issuedBy(TENANT, person())({}), sub: '1' };
    expect(readPerson(microsoft, claims)).toMatchObject({ tenant: TENANT });
    expect(readPerson(microsoft, { ...claims, iss: `${MICROSOFT}/${OTHER}/v2.0` })).toBeUndefined();
  });
});

describe('Google', () => {
  const issuedTo = (sub: string, hd: unknown) => (claims: object) => ({
    ...claims,
    iss: GOOGLE,
    aud: 'portal.apps.googleusercontent.com',
    sub,
    hd,
  });
  const person = (hd: unknown) => readPerson(googleProvider(), issuedTo('1', hd)({}));
  const googleProvider = () => app.services.config.signInProviders.find(({ id }) => id === 'google')!;

  test('Google: signing in needs the domain of an organisation', () => {
    expect(person('School.Example')).toMatchObject({ issuer: GOOGLE, subject: '1', tenant: 'school.example' });
    for (const hd of [undefined, '', 7, 'school']) expect(person(hd)).toBeUndefined();
  });
});

describe('linking', () => {
  test('needs a recent login or proof', async () => {
    const { school } = await connectedSchool();
    later(15 * MINUTE);
    expect((await beginLink(school.teacher.token)).error.code).toBe('proof_required');
  });

  test('staff link accounts of a provider that the school uses, and admins before that', async () => {
    const school = await app.build.school();
    expect((await beginLink(school.teacher.token)).error.code).toBe('provider_not_connected');
    expect((await beginLink(school.admin.token)).status).toBe(200);
    expect((await beginLink((await app.build.person('enterprise')).token)).error.code).toBe('provider_not_connected');
  });

  test('linking ends in the session in which it began', async () => {
    const { school } = await connectedSchool();
    const { reply } = await beginLink(school.teacher.token);
    for (const browser of [new Browser(), new Browser(school.admin.token)])
      expect(await browser.finish(reply.url, newAccount())).toBe('/account/security?sign-in=failed');
    const { reply: list } = await app.call(calls.listLinkedAccounts, { token: school.teacher.token });
    expect(list.accounts).toEqual([]);
  });

  test('no account is linked in a support session, or by someone who must choose a password first', async () => {
    const { school } = await connectedSchool();
    const { token } = await app.build.operator();
    const minted = await app.call(operatorCalls.mintImpersonation, {
      token,
      body: { user_id: school.teacher.id, reason: 'A question' },
    });
    const support = await app.call(operatorCalls.impersonate, { body: { code: minted.reply.code } });
    const { url } = (await beginLink(school.teacher.token)).reply;
    expect(await new Browser(support.reply.meta.token).finish(url, newAccount())).toBe(
      '/account/security?sign-in=failed',
    );
    const flag = { require_password_reset: true };
    await app.database.kysely.updateTable('users').set(flag).where('id', '=', school.teacher.id).execute();
    expect(await new Browser(school.teacher.token).finish(url, newAccount())).toBe('/account/security?sign-in=failed');
  });

  test('linking begins within five minutes, at the same provider, with a ticket of the portal', async () => {
    const { school } = await connectedSchool();
    const { url } = (await beginLink(school.teacher.token)).reply;
    const browser = new Browser(school.teacher.token);
    const begin = async (path: string) => (await browser.get(path, 'same-origin')).to;
    expect((await browser.get(url)).to).toBe(FAILED);
    expect(await begin(url)).toContain(provider.issuer);
    expect(await begin(url.replace('/trust?', '/microsoft?'))).toBe(FAILED);
    expect(await begin('/sign-in/trust?ticket=AAAA')).toBe(FAILED);
    // What the portal has sealed for another purpose is no ticket.
    expect(await begin(`/sign-in/trust?ticket=${browser.cookies.get('__Host-sign-in')}`)).toBe(FAILED);
    later(5 * MINUTE);
    expect(await begin(url)).toBe(FAILED);
  });

  test('no account is linked when the proof is 15 minutes old at the end', async () => {
    const { school } = await connectedSchool();
    const browser = new Browser(school.teacher.token);
    later(15 * MINUTE - 1000);
    const { url } = (await beginLink(school.teacher.token)).reply;
    const callback = await browser.signIn(url, newAccount());
    later(1000);
    expect((await browser.get(callback)).to).toBe('/account/security?sign-in=proof-required');
    const { accounts } = (await app.call(calls.listLinkedAccounts, { token: school.teacher.token })).reply;
    expect(accounts).toEqual([]);
  });

  test('no account is linked by another session of the user that has no proof', async () => {
    const { school } = await connectedSchool();
    later(20 * MINUTE);
    const login = await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } });
    const { url } = (await beginLink(login.reply.meta.token)).reply;
    expect(await new Browser(school.teacher.token).finish(url, newAccount())).toBe(
      '/account/security?sign-in=proof-required',
    );
  });

  test('no account is linked after the user has logged out', async () => {
    const { school } = await connectedSchool();
    const browser = new Browser(school.teacher.token);
    const { url } = (await beginLink(school.teacher.token)).reply;
    const callback = await browser.signIn(url, newAccount());
    await app.call(accessCalls.logOut, { token: school.teacher.token });
    expect((await browser.get(callback)).to).toBe('/account/security?sign-in=failed');
  });

  test('no account is linked when the user was removed from the school meanwhile', async () => {
    const { school } = await connectedSchool();
    const browser = new Browser(school.teacher.token);
    const { url } = (await beginLink(school.teacher.token)).reply;
    const callback = await browser.signIn(url, newAccount());
    const params = { id: school.id, userId: school.teacher.id };
    expect((await app.call(teacherCalls.removeTeacher, { token: school.admin.token, params })).status).toBe(200);
    expect((await browser.get(callback)).to).toBe('/account/security?sign-in=failed');
  });

  test('links an account once, and never to two people', async () => {
    const { school, account } = await connectedSchool();
    expect(await linkAs(school.admin, account)).toBe('linked');
    expect(await linkAs(school.teacher, account)).toBe('taken');
    expect(await linkAs(school.admin, newAccount())).toBe('other-linked');
  });

  test('linking an account emails its owner', async () => {
    const { school } = await connectedSchool();
    await linkAs(school.teacher, newAccount());
    await app.runJobs();
    expect(
      app.mails.filter(({ recipient }) => recipient === school.teacher.email).map(({ subject }) => subject),
    ).toEqual(['Your Trust account was linked – Storylark']);
  });
});

describe('a switch in a session that began at a provider', () => {
  const switchTo = (token: string | undefined, { id }: BuiltSchool) =>
    app.call(membershipCalls.switchSchool, { token: token ?? '', body: { enterprise_id: id } });
  /** The session of a teacher of the first school who also works at the second. */
  async function signInAtBoth(first: BuiltSchool, second: BuiltSchool): Promise<string | undefined> {
    const account = newAccount();
    expect(await linkAs(first.teacher, account)).toBe('linked');
    await app.build.join(first.teacher, second, 'teacher');
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', account)).toBe('/');
    expect((await me(browser.session))?.enterprise_id).toBe(first.id);
    return browser.session;
  }

  test('a session of a provider switches only to a school that uses the provider', async () => {
    const [{ school: first }, second] = [await connectedSchool(), await app.build.school()];
    const session = await signInAtBoth(first, second);
    expect(await switchTo(session, second)).toMatchObject({ status: 409, error: { code: 'provider_not_allowed' } });
    expect((await me(session))?.enterprise_id).toBe(first.id);
    expect(await linkAs(second.admin, newAccount())).toBe('linked');
    expect((await connect(second)).status).toBe(200);
    expect((await switchTo(session, second)).status).toBe(200);
    expect((await me(session))?.enterprise_id).toBe(second.id);
  });

  test('a session of a provider does not switch to a school with another tenant', async () => {
    const [{ school: first }, { school: second }] = [await connectedSchool(), await connectedSchool()];
    const session = await signInAtBoth(first, second);
    const connections = app.database.kysely.updateTable('sign_in_connections').set({ tenant: 'another' });
    await connections.where('school_id', '=', second.id).execute();
    expect(await switchTo(session, second)).toMatchObject({ status: 409, error: { code: 'provider_not_allowed' } });
  });

  test.each([
    [true, true, 200],
    [true, false, 409],
    [false, true, 409],
  ])('a provider’s second factor that counts in one school (%j) and the other (%j) is answered %i', async (...row) => {
    const [countsInFirst, countsInSecond, status] = row;
    const [first, second] = [await connectedSchool(countsInFirst), await connectedSchool(countsInSecond)];
    const session = await signInAtBoth(first.school, second.school);
    const policy = app.database.kysely.updateTable('schools').set({ teachers_factor_from: '2026-11-18' });
    await policy.where('id', '=', second.school.id).execute();
    const answer = await switchTo(session, second.school);
    expect([answer.status, answer.error?.code]).toEqual([status, status === 409 ? 'second_factor_needed' : undefined]);
    expect((await me(session))?.enterprise_id).toBe(status === 200 ? second.school.id : first.school.id);
  });
});

describe('a person who leaves a school', () => {
  test.each([
    ['one of their two schools', true],
    ['their only school, and joins another later', false],
  ])('keeps the linked account and signs in with it elsewhere: %s', async (_, worksElsewhere) => {
    const [{ school: first }, { school: second }] = [await connectedSchool(), await connectedSchool()];
    const person = first.teacher;
    const account = newAccount();
    expect(await linkAs(person, account)).toBe('linked');
    if (worksElsewhere) await app.build.join(person, second, 'teacher');
    const params = { id: first.id, userId: person.id };
    const body = { handovers: [{ group_id: first.ownClass.id, user_id: first.admin.id }] };
    const left = await app.call(teacherCalls.recordLeaver, { token: first.admin.token, params, body });
    expect(left.status).toBe(200);
    if (!worksElsewhere) {
      expect(await new Browser().finish('/sign-in/trust', account)).toBe('/login?sign-in=not-allowed');
      await app.build.join(person, second, 'teacher');
    }
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', account)).toBe('/');
    expect(await me(browser.session)).toMatchObject({
      id: person.id,
      enterprise_id: second.id,
      memberships: [{ enterprise: { id: second.id } }],
    });
  });
});

describe('a session that began at a provider', () => {
  /** A teacher of the school with sessions that began at the provider and with a password. */
  async function teacherOf(school: BuiltSchool) {
    const teacher = await app.build.staff(school, 'teacher');
    const account = newAccount();
    expect(await linkAs(teacher, account)).toBe('linked');
    const signIn = async () => {
      const browser = new Browser();
      await browser.finish('/sign-in/trust', account);
      return browser.session ?? '';
    };
    return { ...teacher, account, signIn };
  }
  const removeProvider = (school: BuiltSchool) =>
    app.call(calls.removeSignInConnection, {
      token: school.admin.token,
      params: { id: school.id, provider: 'trust' },
    });
  const idsOf = async (...tokens: string[]) => (await Promise.all(tokens.map(me))).map((user) => user?.id);

  test('removing a provider ends the sessions that began there, and no others', async () => {
    const [{ school }, { school: other }] = [await connectedSchool(), await connectedSchool()];
    const [ours, theirs] = [await teacherOf(school), await teacherOf(other)];
    const [session, elsewhere] = [await ours.signIn(), await theirs.signIn()];
    expect(await idsOf(session, elsewhere)).toEqual([ours.id, theirs.id]);
    expect((await removeProvider(school)).status).toBe(200);
    expect(await idsOf(session, ours.token, elsewhere)).toEqual([undefined, ours.id, theirs.id]);
    // It does not come back with the provider.
    expect((await connect(school)).status).toBe(200);
    expect(await me(session)).toBeUndefined();
  });

  test('a session that began at a provider does not end with another provider of the school', async () => {
    const { school } = await connectedSchool();
    const teacher = await teacherOf(school);
    const session = await teacher.signIn();
    await app.database.kysely
      .insertInto('sign_in_connections')
      .values({
        school_id: school.id,
        provider: 'google',
        tenant: 'school.example',
        counts_second_factor: false,
        created_at: new Date(),
      })
      .execute();
    const params = { id: school.id, provider: 'google' };
    expect((await app.call(calls.removeSignInConnection, { token: school.admin.token, params })).status).toBe(200);
    expect((await me(session))?.id).toBe(teacher.id);
  });

  test('removing a provider ends sessions completed with a code of the portal, and logins that wait for one', async () => {
    const { school } = await connectedSchool();
    const teacher = await teacherOf(school);
    const { secret } = (await app.call(secondFactorCalls.beginAuthenticator, { token: teacher.token })).reply;
    const code = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOON + passed });
    const body = { code: code(), name: 'Phone' };
    await app.call(secondFactorCalls.confirmAuthenticator, { token: teacher.token, body });
    const begin = async () => {
      const browser = new Browser();
      await browser.finish('/sign-in/trust', teacher.account);
      return readLoginStep(browser.cookies.get('__Host-login-step'))?.token ?? '';
    };
    const finish = (token: string) => app.call(secondFactorCalls.logInWithFactor, { body: { token, code: code() } });
    later(30_000);
    const session = (await finish(await begin())).reply.meta.token;
    const waiting = await begin();
    later(30_000);
    await removeProvider(school);
    expect(await idsOf(session, teacher.token)).toEqual([undefined, teacher.id]);
    expect((await finish(waiting)).error.code).toBe('login_attempt_expired');
  });

  test('removing a provider ends a session whose first factor was added during the sign-in', async () => {
    const { school } = await connectedSchool();
    const teacher = await teacherOf(school);
    const from = { teachers_factor_from: '2026-11-18' };
    await app.database.kysely.updateTable('schools').set(from).where('id', '=', school.id).execute();
    const to = new URL(await new Browser().finish('/sign-in/trust', teacher.account), ORIGIN);
    const token = new URLSearchParams(to.hash.slice(1)).get('step') ?? '';
    const { secret } = (await app.call(secondFactorCalls.beginEnrolmentApp, { body: { token } })).reply;
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: NOON + passed });
    const { reply } = await app.call(secondFactorCalls.enrolApp, { body: { token, code, name: 'Phone' } });
    expect((await me(reply.meta.token))?.id).toBe(teacher.id);
    await removeProvider(school);
    expect(await me(reply.meta.token)).toBeUndefined();
  });

  test('removing a provider ends a session that accepted an invitation with it', async () => {
    const { school } = await connectedSchool();
    const invite = await app.build.invite(school);
    const browser = new Browser();
    await browser.finish(`/sign-in/trust?invitation=${invite.link}`, newAccount());
    expect((await me(browser.session))?.email).toBe(invite.email);
    await removeProvider(school);
    expect(await me(browser.session)).toBeUndefined();
  });

  // The embedded database does nothing else during a transaction.
  if (inject('template').kind === 'server')
    test('a session that begins while the school removes its provider ends', async () => {
      const { school } = await connectedSchool();
      const teacher = await teacherOf(school);
      const browser = new Browser();
      const callback = await browser.signIn('/sign-in/trust', teacher.account);
      const { query } = pg.Client.prototype;
      let removal: Promise<unknown> | undefined;
      let isRemoved = false;
      const waits = () =>
        sql<{ count: number }>`
          select count(*)::int from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(app.database.kysely);
      const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(async function watched(
        this: pg.Client,
        ...args: unknown[]
      ) {
        const answer: unknown = await Reflect.apply(query, this, args);
        const { text } = (args[0] ?? {}) as { text?: string };
        if (removal || !text?.includes('"sign_in_connections"')) return answer;
        // The sign-in has read that the school uses the provider, and has not stored its session.
        removal = removeProvider(school).then(() => (isRemoved = true));
        await expect.poll(async () => isRemoved || ((await waits()).rows[0]?.count ?? 0) > 0).toBe(true);
        return answer;
      });
      expect((await browser.get(callback)).to).toBe('/');
      spy.mockRestore();
      expect(await removal).toBe(true);
      expect(browser.session).toBeDefined();
      expect(await me(browser.session)).toBeUndefined();
    });

  test('sessions count no second factor at the provider once the school says so', async () => {
    const { school } = await connectedSchool(true);
    const teacher = await teacherOf(school);
    const from = { teachers_factor_from: '2026-11-18' };
    await app.database.kysely.updateTable('schools').set(from).where('id', '=', school.id).execute();
    const session = await teacher.signIn();
    expect((await me(session))?.id).toBe(teacher.id);
    expect((await connect(school, false)).status).toBe(200);
    expect(await me(session)).toBeUndefined();
  });
});

describe('a sign-in that began', () => {
  test('a sign-in fails for a user who was removed from the school meanwhile', async () => {
    const { school } = await connectedSchool();
    const account = newAccount();
    await linkAs(school.teacher, account);
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    const params = { id: school.id, userId: school.teacher.id };
    await app.call(teacherCalls.removeTeacher, { token: school.admin.token, params });
    expect((await browser.get(callback)).to).toBe('/login?sign-in=not-allowed');
    expect(browser.session).toBeUndefined();
  });

  test('a sign-in fails once the school has removed the provider', async () => {
    const { school, account } = await connectedSchool();
    const browser = new Browser();
    const callback = await browser.signIn('/sign-in/trust', account);
    const at = { token: school.admin.token, params: { id: school.id, provider: 'trust' } };
    expect((await app.call(calls.removeSignInConnection, at)).status).toBe(200);
    expect((await browser.get(callback)).to).toBe('/login?sign-in=not-allowed');
    expect((await audited(school.id)).slice(-2)).toEqual(['login_connection_removed', 'login_provider_failed']);
  });

  test('a sign-in respects the payment lock as a password login does', async () => {
    const { school, account } = await connectedSchool();
    await app.database.kysely
      .updateTable('subscriptions')
      .set({ starts_at: new Date('2020-01-01'), expires_at: new Date('2020-02-01') })
      .where('school_id', '=', school.id)
      .execute();
    const browser = new Browser();
    expect(await browser.finish('/sign-in/trust', account)).toBe('/');
    const at = { params: { id: school.id }, token: browser.session ?? '' };
    expect((await app.ask('GET', `/enterprises/${school.id}/readers`, { token: at.token })).status).toBe(402);
    expect((await app.call(schoolCalls.listAuditLog, at)).status).toBe(200);
  });
});

describe('an invitation', () => {
  const accept = (browser: Browser, link: string, accountId: string) =>
    browser.finish(`/sign-in/trust?invitation=${link}`, accountId);

  test('an invitation is accepted with the provider instead of a password', async () => {
    const { school } = await connectedSchool();
    const invite = await app.build.invite(school);
    const opened = await app.call(inviteCalls.getInvite, { params: { inviteId: invite.link } });
    expect(opened.reply.invite.sign_in_providers).toEqual(['trust']);
    const account = newAccount({ given_name: 'Robin', family_name: 'Field' });
    const browser = new Browser();
    expect(await accept(browser, invite.link, account)).toBe('/');
    const user = await me(browser.session);
    expect(user).toMatchObject({
      email: invite.email,
      full_name: 'Robin Field',
      enterprise_id: school.id,
      enterprise_user_role: 'teacher',
      email_confirmation_due_at: null,
      require_password_reset: false,
    });
    // No password belongs to the account.
    for (const password of ['no account has this password', ' ', PASSWORD])
      expect((await app.call(accessCalls.logIn, { body: { email: invite.email, password } })).status).toBe(401);
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
    // Once.
    expect(await accept(new Browser(), invite.link, newAccount())).toContain('/invite/');
  });

  test('an account gets the names of the invitation where the provider has none', async () => {
    const { school } = await connectedSchool();
    const browser = new Browser();
    await accept(browser, (await app.build.invite(school)).link, newAccount());
    expect((await me(browser.session))?.full_name).toBe('Robin Newcomer');
  });

  test('no invitation is accepted for an account that was registered with its address in advance (pre-hijacking)', async () => {
    const { school } = await connectedSchool();
    const invite = await app.build.invite(school);
    const body = { first_name: 'Mallory', last_name: 'Early', email: invite.email, password: 'seven-paper-boats' };
    const { reply } = await app.call(accessCalls.register, { body });
    const browser = new Browser();
    const account = newAccount({ email: invite.email, email_verified: true });
    expect(await accept(browser, invite.link, account)).toBe(`/invite/${invite.link}?sign-in=email-taken`);
    expect(browser.session).toBeUndefined();
    expect((await me(reply.meta.token))?.enterprise_id).toBeNull();
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/login?sign-in=unknown');
  });

  test('an invitation is not accepted with an account of another tenant, or one that is linked', async () => {
    const { school, account } = await connectedSchool();
    const invite = await app.build.invite(school);
    expect(await accept(new Browser(), invite.link, account)).toBe(`/invite/${invite.link}?sign-in=taken`);
    const other = await app.build.school();
    const elsewhere = await app.build.invite(other);
    expect(await accept(new Browser(), elsewhere.link, newAccount())).toBe(
      `/invite/${elsewhere.link}?sign-in=not-allowed`,
    );
  });

  test('an invitation is not accepted by a link on another site', async () => {
    const { school } = await connectedSchool();
    const { link } = await app.build.invite(school);
    expect((await new Browser().get(`/sign-in/trust?invitation=${link}`)).to).toBe(FAILED);
  });

  test('an invitation that was withdrawn meanwhile is not accepted', async () => {
    const { school } = await connectedSchool();
    const invite = await app.build.invite(school);
    const browser = new Browser();
    const callback = await browser.signIn(`/sign-in/trust?invitation=${invite.link}`, newAccount());
    const params = { id: school.id, inviteId: invite.id };
    await app.call(inviteCalls.removeInvite, { token: school.admin.token, params });
    expect((await browser.get(callback)).to).toBe(`/invite/${invite.link}?sign-in=failed`);
    expect(browser.session).toBeUndefined();
  });

  test('an invitation that is accepted twice at once joins once', async () => {
    const { school } = await connectedSchool();
    const invite = await app.build.invite(school);
    const browsers = [new Browser(), new Browser()];
    const callbacks: string[] = [];
    for (const browser of browsers)
      callbacks.push(await browser.signIn(`/sign-in/trust?invitation=${invite.link}`, newAccount()));
    await Promise.all(browsers.map((browser, index) => browser.get(callbacks[index] ?? '')));
    expect(browsers.filter(({ session }) => session !== undefined)).toHaveLength(1);
  });
});

describe('a set-up link', () => {
  async function setUp(userId: number) {
    const { kysely } = app.database;
    await kysely.updateTable('users').set({ require_password_reset: true }).where('id', '=', userId).execute();
    const token = await app.build.link('set_up', userId);
    return (await app.call(passwordCalls.exchangeSetUpLink, { body: { token } })).reply.meta.token;
  }
  const begin = (token: string) => app.call(calls.setUpWithProvider, { token, body: { provider: 'trust' } });

  test('a set-up is completed with the provider instead of a password', async () => {
    const { school } = await connectedSchool();
    const token = await setUp(school.teacher.id);
    const account = newAccount();
    expect(await new Browser(token).finish((await begin(token)).reply.url, account)).toBe('/');
    expect(await me(token)).toMatchObject({ id: school.teacher.id, require_password_reset: false });
    const login = await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } });
    expect(login.status).toBe(401);
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });

  test('a set-up is completed once, also in two windows', async () => {
    const { school } = await connectedSchool();
    const token = await setUp(school.teacher.id);
    const { url } = (await begin(token)).reply;
    const account = newAccount();
    const [first, second] = [new Browser(token), new Browser(token)];
    const late = await second.signIn(url, account);
    expect(await first.finish(url, account)).toBe('/');
    expect((await second.get(late)).to).toBe('/setup?sign-in=failed');
  });

  test('a set-up needs a provider that the school uses, also for an admin', async () => {
    const school = await app.build.school();
    expect((await begin(await setUp(school.admin.id))).error.code).toBe('provider_not_connected');
  });

  test('a set-up link alone does not replace the login of an account with a second factor, or one that is set up', async () => {
    const { school } = await connectedSchool();
    expect((await begin(school.teacher.token)).error.code).toBe('set_up_needs_login');
    const begun = await app.call(secondFactorCalls.beginAuthenticator, { token: school.teacher.token });
    const code = new TOTP({ secret: Secret.fromBase32(begun.reply.secret) }).generate({ timestamp: NOON });
    await app.call(secondFactorCalls.confirmAuthenticator, {
      token: school.teacher.token,
      body: { code, name: 'Phone' },
    });
    const token = await setUp(school.teacher.id);
    expect((await begin(token)).error.code).toBe('set_up_needs_login');
  });
});

describe('unlinking', () => {
  const list = async (token: string) => (await app.call(calls.listLinkedAccounts, { token })).reply;
  const unlink = (token: string, linkedAccountId: number) =>
    app.call(calls.unlinkAccount, { token, params: { linkedAccountId } });

  test('removing a linked account ends its sign-in, after a recent login', async () => {
    const { school, account } = await connectedSchool();
    const { accounts, has_password } = await list(school.admin.token);
    expect(has_password).toBe(true);
    const [{ id } = { id: 0 }] = accounts;
    expect((await unlink(school.teacher.token, id)).status).toBe(404);
    expect((await unlink(school.admin.token, id)).status).toBe(200);
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/login?sign-in=unknown');
    expect((await audited(school.id)).at(-1)).toBe('login_provider_unlinked');
    later(15 * MINUTE);
    expect((await unlink(school.admin.token, id)).error.code).toBe('proof_required');
  });

  test('removing a linked account ends the other sessions that began with it, and this one loses its second factor', async () => {
    const { school, account } = await connectedSchool(true);
    const [browser, other] = [new Browser(), new Browser()];
    await browser.finish('/sign-in/trust', account);
    await other.finish('/sign-in/trust', account);
    const token = browser.session ?? '';
    const [{ id } = { id: 0 }] = (await list(token)).accounts;
    expect((await unlink(token, id)).status).toBe(200);
    expect((await me(token))?.id).toBe(school.admin.id);
    expect((await me(school.admin.token))?.id).toBe(school.admin.id);
    expect(await me(other.session)).toBeUndefined();
    const from = { admins_factor_from: '2026-11-18' };
    await app.database.kysely.updateTable('schools').set(from).where('id', '=', school.id).execute();
    expect(await me(token)).toBeUndefined();
  });

  test('an account without a password keeps a way in, whichever linked account is removed last', async () => {
    const { school } = await connectedSchool();
    const invite = await app.build.invite(school);
    const browser = new Browser();
    await browser.finish(`/sign-in/trust?invitation=${invite.link}`, newAccount());
    const token = browser.session ?? '';
    const { accounts, has_password } = await list(token);
    expect(has_password).toBe(false);
    const [{ id } = { id: 0 }] = accounts;
    expect((await unlink(token, id)).error.code).toBe('last_login_method');
    const passkey = new SoftwarePasskey(ORIGIN);
    const begun = await app.call(secondFactorCalls.beginPasskey, { token });
    const answer = passkey.create({ challenge: begun.reply.options.challenge, rpId: 'portal.test.example' });
    const { factor } = (
      await app.call(secondFactorCalls.addPasskey, { token, body: { passkey: answer, name: 'Laptop' } })
    ).reply;
    expect((await unlink(token, id)).status).toBe(200);
    const removed = await app.call(secondFactorCalls.removeFactor, { token, params: { factorId: factor.id } });
    expect(removed.error.code).toBe('last_login_method');
  });
});

describe('a connection', () => {
  const list = async (school: BuiltSchool) =>
    (await app.call(calls.listSignInConnections, { token: school.admin.token, params: { id: school.id } })).reply
      .connections;

  test('an admin who has linked an account connects the school, which keeps the tenant', async () => {
    const school = await app.build.school();
    expect((await connect(school)).error.code).toBe('account_not_linked');
    await linkAs(school.admin, newAccount());
    expect(await list(school)).toContainEqual({
      provider: 'trust',
      name: 'Trust',
      connection: null,
      own_account: { tenant: null },
    });
    expect((await connect(school)).status).toBe(200);
    expect((await connect(school, true)).reply.connection.connection).toMatchObject({ counts_second_factor: true });
    expect((await audited(school.id)).filter((action) => action === 'login_connection_changed')).toHaveLength(2);
  });

  test('needs a recent login or proof', async () => {
    const { school } = await connectedSchool();
    later(15 * MINUTE);
    expect((await connect(school, true)).error.code).toBe('proof_required');
  });

  test('another school’s connection does not count', async () => {
    const { account } = await connectedSchool();
    const other = await app.build.school();
    const stranger = newAccount();
    await linkAs(other.admin, stranger);
    expect(await new Browser().finish('/sign-in/trust', stranger)).toBe('/login?sign-in=not-allowed');
    expect(await new Browser().finish('/sign-in/trust', account)).toBe('/');
  });
});
