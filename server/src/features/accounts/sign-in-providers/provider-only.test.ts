import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { signInProviderCalls as calls } from '#contract/calls/sign-in-providers.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { readLoginStep } from '#contract/login-step.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';
import { ProviderBrowser } from '../../../testing/provider-browser.ts';
import { settingsFor, startTestProvider } from '../../../testing/sign-in-provider.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';

const RP_ID = 'portal.test.example';
const ORIGIN = `https://${RP_ID}`;
const provider = await startTestProvider();
afterAll(() => provider.stop());
const app = testApp({ PUBLIC_URL: ORIGIN, ...settingsFor(provider) });

const NOON = Date.parse('2026-11-18T12:00:00.000Z');
const setTime = (minutes: number) => app.setTime(new Date(NOON + minutes * 60_000).toISOString());

beforeEach(async () => {
  setTime(0);
  await app.database.kysely.deleteFrom('rate_limits').execute();
});

let counter = 0;
/** A new account at the provider. */
function newAccount(): string {
  const id = `person-${(counter += 1)}`;
  provider.addAccount(id, {});
  return id;
}

const browserOf = (sessionToken?: string) => new ProviderBrowser(app, provider, sessionToken);
const me = async (token: string | undefined) =>
  (await app.call(accessCalls.getMe, { ...(token && { token }) })).reply?.user;
const logIn = ({ email }: Person) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });

/** Links an account to the owner of a session; returns where the browser ends, and its session. */
async function link(token: string, account = newAccount()) {
  const { status, reply } = await app.call(calls.linkAccount, { token, body: { provider: 'trust' } });
  expect(status).toBe(200);
  const browser = browserOf(token);
  return { account, to: await browser.finish(reply.url, account), session: browser.session ?? '' };
}

const connect = (school: BuiltSchool, countsSecondFactor = false) =>
  app.call(calls.saveSignInConnection, {
    token: school.admin.token,
    params: { id: school.id, provider: 'trust' },
    body: { counts_second_factor: countsSecondFactor },
  });
const setOnly = ({ id, admin }: BuiltSchool, isOn: boolean, token = admin.token) =>
  app.call(calls.setProviderOnly, { token, params: { id }, body: { provider_only: isOn } });
const getSignIn = async ({ id, admin }: BuiltSchool) =>
  (await app.call(calls.listSignInConnections, { token: admin.token, params: { id } })).reply;

/** A school whose admin has linked an account at its provider. */
async function connectedSchool(countsSecondFactor = false): Promise<BuiltSchool> {
  const school = await app.build.school();
  expect((await link(school.admin.token)).to).toBe('/account/security?sign-in=linked');
  expect((await connect(school, countsSecondFactor)).status).toBe(200);
  return school;
}

/** A school that signs in through its provider only. */
async function strictSchool(countsSecondFactor = false): Promise<BuiltSchool> {
  const school = await connectedSchool(countsSecondFactor);
  expect((await setOnly(school, true)).status).toBe(200);
  return school;
}

const readSchool = async (token: string, { id }: { id: number }) => {
  const { status, error } = await app.call(schoolCalls.getSchool, { token, params: { id } });
  return error?.code ?? status;
};
const demandFactors = ({ id }: { id: number }) =>
  app.database.kysely
    .updateTable('schools')
    .set({ admins_factor_from: '2026-11-01', teachers_factor_from: '2026-11-01' })
    .where('id', '=', id)
    .execute();

describe('a school that signs in through its provider only', () => {
  test('a password opens nothing of it, also in a session that began before', async () => {
    const school = await connectedSchool();
    expect(await readSchool(school.teacher.token, school)).toBe(200);
    await setOnly(school, true);
    expect(await readSchool(school.teacher.token, school)).toBe('provider_required');
    expect(await me(school.teacher.token)).toMatchObject({ enterprise_id: school.id, require_provider: true });
    const { status, reply } = await logIn(school.teacher);
    expect([status, reply.user.require_provider]).toEqual([200, true]);
    expect(await readSchool(reply.meta.token, school)).toBe('provider_required');
    expect((await app.ask('GET', `/enterprises/${school.id}/readers`, { token: reply.meta.token })).status).toBe(409);
    await setOnly(school, false);
    expect(await readSchool(reply.meta.token, school)).toBe(200);
    expect((await me(reply.meta.token))?.require_provider).toBe(false);
  });

  test('a passkey opens nothing of it', async () => {
    const school = await connectedSchool();
    const passkey = new SoftwarePasskey(ORIGIN);
    const { token } = school.teacher;
    const begun = await app.call(secondFactorCalls.beginPasskey, { token });
    const answer = passkey.create({ challenge: begun.reply.options.challenge, rpId: RP_ID });
    const body = { name: 'Laptop', passkey: answer };
    expect((await app.call(secondFactorCalls.addPasskey, { token, body })).status).toBe(200);
    await setOnly(school, true);
    const { options } = (await app.call(secondFactorCalls.getPasskeyLoginOptions)).reply;
    passkey.count += 1;
    const proof = passkey.get({ challenge: options.challenge, rpId: RP_ID });
    const login = await app.call(secondFactorCalls.logInWithPasskey, { body: { passkey: proof } });
    expect([login.status, login.reply.user.require_provider]).toEqual([200, true]);
    expect(await readSchool(login.reply.meta.token, school)).toBe('provider_required');
  });

  test('someone who links their account there is in at once, and signs in with it from then on', async () => {
    const school = await strictSchool();
    const { token } = (await logIn(school.teacher)).reply.meta;
    const { account, to, session } = await link(token);
    expect(to).toBe('/');
    expect(await me(session)).toMatchObject({ id: school.teacher.id, require_provider: false });
    expect(await readSchool(session, school)).toBe(200);
    expect(await me(token)).toBeUndefined();
    const next = browserOf();
    expect(await next.finish('/sign-in/trust', account)).toBe('/');
    expect(await readSchool(next.session ?? '', school)).toBe(200);
    const { token: again } = (await logIn(school.teacher)).reply.meta;
    expect(await readSchool(again, school)).toBe('provider_required');
    const { accounts } = (await app.call(calls.listLinkedAccounts, { token: again })).reply;
    expect(accounts).toMatchObject([{ provider: 'trust', is_allowed: true }]);
  });

  test('linking an account needs a recent login and a confirmed address', async () => {
    const school = await strictSchool();
    const { token } = (await logIn(school.teacher)).reply.meta;
    setTime(16);
    const body = { provider: 'trust' };
    expect((await app.call(calls.linkAccount, { token, body })).error.code).toBe('proof_required');
    await app.database.kysely
      .updateTable('users')
      .set({ email_confirmed_at: null, created_at: new Date(NOON) })
      .where('id', '=', school.teacher.id)
      .execute();
    const login = await logIn(school.teacher);
    expect(login.reply.user).toMatchObject({ require_provider: true, require_email_confirmation: true });
    const pupils = await app.ask('GET', `/enterprises/${school.id}/readers`, { token: login.reply.meta.token });
    expect(pupils.error.code).toBe('email_not_confirmed');
    expect((await app.call(calls.linkAccount, { token: login.reply.meta.token, body })).error.code).toBe(
      'email_not_confirmed',
    );
  });

  test('an account that the school does not allow is not linked', async () => {
    const school = await strictSchool();
    await app.database.kysely
      .updateTable('sign_in_connections')
      .set({ tenant: 'another.example' })
      .where('school_id', '=', school.id)
      .execute();
    const { token } = (await logIn(school.teacher)).reply.meta;
    const { to, session } = await link(token);
    expect(to).toBe('/account/security?sign-in=not-allowed');
    expect(await readSchool(session, school)).toBe('provider_required');
    const { accounts } = (await app.call(calls.listLinkedAccounts, { token: school.admin.token })).reply;
    expect(accounts).toMatchObject([{ provider: 'trust', is_allowed: false }]);
  });

  test('an admin can still log in with a password, and loses it with the role', async () => {
    const school = await strictSchool();
    const colleague = await app.build.staff(school, 'admin');
    const { token } = (await logIn(colleague)).reply.meta;
    expect(await readSchool(token, school)).toBe(200);
    const params = { id: school.id, userId: colleague.id };
    const body = { role: 'teacher' } as const;
    expect((await app.call(teacherCalls.setStaffRole, { token: school.admin.token, params, body })).status).toBe(200);
    expect(await readSchool(token, school)).toBe('provider_required');
  });

  test('a supply teacher’s code and support are not held up', async () => {
    const school = await strictSchool();
    const supply = await app.build.supplyTeacher(school, await app.build.newClass(school, 'Wrens'));
    expect(await me(supply.token)).toMatchObject({ role: 'supply_teacher', require_provider: false });
    expect(await readSchool(supply.token, school)).toBe(200);
    const { token: operator } = await app.build.operator();
    const body = { user_id: school.teacher.id, reason: 'A question' };
    const { code } = (await app.call(operatorCalls.mintImpersonation, { token: operator, body })).reply;
    const { token: support } = (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta;
    expect(await me(support)).toMatchObject({ id: school.teacher.id, require_provider: false });
    expect(await readSchool(support, school)).toBe(200);
  });

  test('an account that is unlinked opens nothing more', async () => {
    const school = await strictSchool();
    const { session } = await link((await logIn(school.teacher)).reply.meta.token);
    const [account] = (await app.call(calls.listLinkedAccounts, { token: session })).reply.accounts;
    const params = { linkedAccountId: account?.id ?? 0 };
    expect((await app.call(calls.unlinkAccount, { token: session, params })).status).toBe(200);
    expect(await readSchool(session, school)).toBe('provider_required');
  });

  test('a new member joins with a password, and links an account before anything else', async () => {
    const school = await strictSchool();
    const invite = await app.build.invite(school);
    const account = { first_name: 'Ben', last_name: 'Okafor', email: invite.email, password: 'seven-paper-boats' };
    const { token } = (await app.call(accessCalls.register, { body: account })).reply.meta;
    expect((await app.call(inviteCalls.acceptInvite, { token, params: { inviteId: invite.link } })).status).toBe(200);
    expect(await readSchool(token, school)).toBe('provider_required');
  });

  test('someone who sets up their account at the provider is in at once', async () => {
    const school = await strictSchool();
    const { kysely } = app.database;
    await kysely
      .updateTable('users')
      .set({ require_password_reset: true })
      .where('id', '=', school.teacher.id)
      .execute();
    const setUp = await app.build.link('set_up', school.teacher.id);
    const { token } = (await app.call(passwordCalls.exchangeSetUpLink, { body: { token: setUp } })).reply.meta;
    const { url } = (await app.call(calls.setUpWithProvider, { token, body: { provider: 'trust' } })).reply;
    const browser = browserOf(token);
    expect(await browser.finish(url, newAccount())).toBe('/');
    expect(await readSchool(browser.session ?? '', school)).toBe(200);
  });
});

describe('a second factor', () => {
  test('is that of the provider, where the school counts it: a password asks for none', async () => {
    const school = await strictSchool(true);
    await demandFactors(school);
    const login = await logIn(school.teacher);
    expect([login.status, login.reply.user.require_provider]).toEqual([200, true]);
    const { to, session } = await link(login.reply.meta.token);
    expect(to).toBe('/');
    expect(await readSchool(session, school)).toBe(200);
  });

  test('is added after the sign-in at the provider, where the school does not count that one', async () => {
    const school = await strictSchool();
    await demandFactors(school);
    const { token } = (await logIn(school.teacher)).reply.meta;
    expect((await link(token)).to).toMatch(/^\/login\/enrolment/);
  });

  test('of the person’s own comes after the sign-in at the provider, and opens the school', async () => {
    const school = await strictSchool();
    await setOnly(school, false);
    const { account, session } = await link(school.teacher.token);
    const begun = await app.call(secondFactorCalls.beginAuthenticator, { token: session });
    const authenticator = new TOTP({ secret: Secret.fromBase32(begun.reply.secret) });
    const first = { code: authenticator.generate({ timestamp: NOON }), name: 'Phone' };
    expect((await app.call(secondFactorCalls.confirmAuthenticator, { token: session, body: first })).status).toBe(200);
    await setOnly(school, true);
    setTime(1);
    const browser = browserOf();
    expect(await browser.finish('/sign-in/trust', account)).toBe('/login/second-step');
    const body = {
      token: readLoginStep(browser.cookies.get('__Host-login-step'))?.token ?? '',
      code: authenticator.generate({ timestamp: NOON + 60_000 }),
    };
    const login = await app.call(secondFactorCalls.logInWithFactor, { body });
    expect([login.status, login.reply.user.require_provider]).toEqual([200, false]);
    expect(await readSchool(login.reply.meta.token, school)).toBe(200);
  });

  test('is still asked of an admin, who logs in with a password', async () => {
    const school = await strictSchool();
    await demandFactors(school);
    expect((await logIn(school.admin)).error.code).toBe('enrolment_required');
  });
});

describe('a person of two schools', () => {
  test('switches to one that signs in through its provider only, links an account there, and keeps the other', async () => {
    const strict = await strictSchool();
    const other = await app.build.school();
    const person = other.teacher;
    await app.build.join(person, strict, 'teacher');
    const switchTo = ({ id }: { id: number }, token: string) =>
      app.call(membershipCalls.switchSchool, { token, body: { enterprise_id: id } });
    const { reply, status } = await switchTo(strict, person.token);
    expect([status, reply.user.require_provider]).toEqual([200, true]);
    expect(await readSchool(person.token, strict)).toBe('provider_required');
    expect((await switchTo(other, person.token)).reply.user.require_provider).toBe(false);
    expect(await readSchool(person.token, other)).toBe(200);
    await switchTo(strict, person.token);
    const { session } = await link(person.token);
    expect(await readSchool(session, strict)).toBe(200);
    // The other school does not use the provider.
    expect((await switchTo(other, session)).error.code).toBe('provider_not_allowed');
  });

  test('needs no factor to switch to it with a password', async () => {
    const strict = await strictSchool(true);
    await demandFactors(strict);
    const other = await app.build.school();
    await app.build.join(other.teacher, strict, 'teacher');
    const body = { enterprise_id: strict.id };
    const { reply } = await app.call(membershipCalls.switchSchool, { token: other.teacher.token, body });
    expect(reply.user.require_provider).toBe(true);
  });
});

describe('the setting', () => {
  test('lists the staff who have not linked an account that the school allows', async () => {
    const school = await connectedSchool();
    const [colleague, manager] = [
      await app.build.staff(school, 'teacher'),
      await app.build.staff(school, 'business_manager'),
    ];
    await link(colleague.token);
    const listed = async () => (await getSignIn(school)).not_linked.map(({ id }) => id).sort((a, b) => a - b);
    expect(await listed()).toEqual([school.teacher.id, manager.id].sort((a, b) => a - b));
    await app.database.kysely
      .updateTable('linked_accounts')
      .set({ tenant: 'another.example' })
      .where('user_id', '=', colleague.id)
      .execute();
    expect(await listed()).toContain(colleague.id);
  });

  test('needs a provider of the school, the admin’s own account there, and a recent login', async () => {
    const school = await app.build.school();
    expect((await setOnly(school, true)).error.code).toBe('provider_not_connected');
    await link(school.admin.token);
    await connect(school);
    const colleague = await app.build.staff(school, 'admin');
    expect((await setOnly(school, true, colleague.token)).error.code).toBe('account_not_linked');
    setTime(16);
    expect((await setOnly(school, true)).error.code).toBe('proof_required');
    expect((await getSignIn(school)).provider_only).toBe(false);
  });

  test('is turned off by an admin without an account there, for the day on which the provider fails', async () => {
    const school = await strictSchool();
    const colleague = await app.build.staff(school, 'admin');
    expect((await setOnly(school, false, colleague.token)).reply.provider_only).toBe(false);
  });

  test('ends with the last provider, and is in the school’s list of changes', async () => {
    const school = await strictSchool();
    await setOnly(school, true);
    const at = { token: school.admin.token, params: { id: school.id, provider: 'trust' } };
    expect((await app.call(calls.removeSignInConnection, at)).status).toBe(200);
    expect((await getSignIn(school)).provider_only).toBe(false);
    expect(await readSchool(school.teacher.token, school)).toBe(200);
    const { entries } = (await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: at.params }))
      .reply;
    expect(
      entries
        .filter(({ action }) => action === 'login_provider_only_changed')
        .map(({ details }) => details)
        .toReversed(),
    ).toEqual([{ is_on: true }, { is_on: false }]);
  });

  test('stays while another provider is left', async () => {
    const school = await strictSchool();
    const connection = {
      school_id: school.id,
      provider: 'another',
      tenant: null,
      counts_second_factor: false,
      created_at: new Date(NOON),
    };
    await app.database.kysely.insertInto('sign_in_connections').values(connection).execute();
    const at = { token: school.admin.token, params: { id: school.id, provider: 'another' } };
    expect((await app.call(calls.removeSignInConnection, at)).status).toBe(200);
    expect((await getSignIn(school)).provider_only).toBe(true);
  });

  test('is never left on without a provider, when one admin turns it on while another removes the provider', async () => {
    const school = await connectedSchool();
    const at = { token: school.admin.token, params: { id: school.id, provider: 'trust' } };
    await Promise.all([setOnly(school, true), app.call(calls.removeSignInConnection, at)]);
    expect((await getSignIn(school)).provider_only).toBe(false);
  });
});
