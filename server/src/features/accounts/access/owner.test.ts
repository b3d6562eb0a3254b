import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';
import { accessHandlers } from './access.routes.ts';
import type { PlatformDb } from '../../../database/platform-db.ts';
import { appointOperator } from '../../company/operators/operators.public.ts';

const ORIGIN = 'https://portal.test.example';
const RP_ID = 'portal.test.example';
const app = testApp({ PUBLIC_URL: ORIGIN });
let counter = 0;
const newEmail = () => `owner-${(counter += 1)}@test.example`;

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  await app.runJobs();
  app.mails.length = 0;
});

const person = (email: string, password = PASSWORD) => ({ first_name: 'Ada', last_name: 'Baker', email, password });
const register = async (email: string, password?: string) =>
  (await app.call(accessCalls.register, { body: person(email, password) })).reply;
const logIn = (email: string, password: string) => app.call(accessCalls.logIn, { body: { email, password } });
const statusOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).status;
/** The token in the latest mail to an address with such a link. */
function linkTo(email: string, path: string): string {
  const texts = app.mails.filter(({ recipient }) => recipient === email).map(({ text }) => text);
  return texts.flatMap((text) => new RegExp(`${path}([\\w-]+)`).exec(text)?.[1] ?? []).at(-1) ?? '';
}

async function reset(email: string, password: string): Promise<void> {
  await app.call(passwordCalls.requestPasswordReset, { body: { email } });
  await app.runJobs();
  const token = linkTo(email, 'reset\\?token=');
  expect((await app.call(passwordCalls.resetPassword, { body: { token, password } })).status).toBe(200);
}

async function addPasskey(token: string): Promise<{ status: number; passkey: SoftwarePasskey }> {
  const passkey = new SoftwarePasskey(ORIGIN);
  const begun = await app.call(secondFactorCalls.beginPasskey, { token });
  if (begun.status !== 200) return { status: begun.status, passkey };
  const answer = passkey.create({ challenge: begun.reply.options.challenge, rpId: RP_ID });
  const body = { passkey: answer, name: 'Laptop' };
  return { status: (await app.call(secondFactorCalls.addPasskey, { token, body })).status, passkey };
}

async function logInWith(passkey: SoftwarePasskey) {
  const { reply } = await app.call(secondFactorCalls.getPasskeyLoginOptions, {});
  const answer = passkey.get({ challenge: reply.options.challenge, rpId: RP_ID });
  return app.call(secondFactorCalls.logInWithPasskey, { body: { passkey: answer } });
}

const acceptInvite = (token: string, inviteId: string) =>
  app.call(inviteCalls.acceptInvite, { token, params: { inviteId } });

test('a stranger who registered an address first cannot move the account away once its owner has reset the password', async () => {
  const school = await app.build.school();
  const email = newEmail();
  const stranger = await register(email);
  const elsewhere = newEmail();
  const change = { email: elsewhere, current_password: PASSWORD };
  await app.call(accessCalls.updateMe, { token: stranger.meta.token, body: change });
  await app.runJobs();
  const link = linkTo(elsewhere, 'confirm/email/');
  expect(link).not.toBe('');

  await reset(email, 'kite harbour 7');
  const { reply } = await logIn(email, 'kite harbour 7');
  const { link: invitation } = await app.build.invite(school, email);
  expect((await acceptInvite(reply.meta.token, invitation)).status).toBe(200);

  expect((await app.call(accessCalls.confirmEmail, { body: { token: link } })).error.code).toBe('token_expired');
  await app.runJobs({ scheduled: true });
  expect((await logIn(email, 'kite harbour 7')).status).toBe(200);
  expect((await logIn(elsewhere, 'kite harbour 7')).status).toBe(401);
});

test('an account with an unconfirmed address gets no second factor', async () => {
  const { meta } = await register(newEmail());
  expect((await addPasskey(meta.token)).status).toBe(409);
  const begun = await app.call(secondFactorCalls.beginAuthenticator, { token: meta.token });
  expect(begun).toMatchObject({ status: 409, error: { code: 'email_not_confirmed' } });
});

test('a reset of an unconfirmed account removes its factors, recovery codes and linked accounts', async () => {
  const email = newEmail();
  const { user, meta } = await register(email);
  const users = () => app.database.kysely.updateTable('users').where('id', '=', user.id);
  // As an earlier version of the portal allowed.
  await users().set({ email_confirmed_at: new Date() }).execute();
  const { status, passkey } = await addPasskey(meta.token);
  expect(status).toBe(200);
  await app.database.kysely
    .insertInto('linked_accounts')
    .values({ user_id: user.id, provider: 'x', issuer: 'x', subject: email, tenant: null, created_at: new Date() })
    .execute();
  await users().set({ email_confirmed_at: null }).execute();

  await reset(email, 'kite harbour 7');
  expect((await logIn(email, 'kite harbour 7')).status).toBe(200);
  expect((await logInWith(passkey)).error.code).toBe('passkey_failed');
  for (const table of ['recovery_codes', 'linked_accounts', 'login_factors'] as const)
    expect(
      await app.database.kysely.selectFrom(table).select('user_id').where('user_id', '=', user.id).execute(),
    ).toEqual([]);
});

test('a reset of a confirmed account keeps its factors', async () => {
  const { teacher } = await app.build.school();
  const { passkey } = await addPasskey(teacher.token);
  await reset(teacher.email, 'kite harbour 7');
  expect((await logIn(teacher.email, 'kite harbour 7')).error.code).toBe('second_factor_required');
  expect((await logInWith(passkey)).status).toBe(200);
});

test('someone who knew the password last week cannot take the account over after a new one was set', async () => {
  const { admin } = await app.build.school();
  const thief = (await logIn(admin.email, PASSWORD)).reply.meta.token;
  const elsewhere = newEmail();
  await app.call(accessCalls.updateMe, { token: thief, body: { email: elsewhere, current_password: PASSWORD } });
  await app.runJobs();
  const link = linkTo(elsewhere, 'confirm/email/');
  const change = { password: 'kite harbour 7', current_password: PASSWORD };
  const owner = (await logIn(admin.email, PASSWORD)).reply.meta.token;
  expect((await app.call(accessCalls.updateMe, { token: owner, body: change })).status).toBe(200);
  expect((await app.call(accessCalls.confirmEmail, { body: { token: link } })).status).toBe(404);
});

describe('the session that carries a proof out', () => {
  const browser = (token: string) => ({ cookie: `__Host-session=${token}`, 'sec-fetch-site': 'same-origin' });
  const sessionIn = (headers: Record<string, unknown>): string =>
    /__Host-session=([\w-]+)/.exec(String(headers['set-cookie']))?.[1] ?? '';

  test('a session that confirms its address goes on in its browser under a new token, and the earlier token has ended', async () => {
    const email = newEmail();
    const { meta } = await register(email);
    const other = (await logIn(email, PASSWORD)).reply.meta.token;
    await app.runJobs();
    const body = { token: linkTo(email, 'confirm/email/') };
    const { status, headers } = await app.call(accessCalls.confirmEmail, { body, headers: browser(meta.token) });
    expect(status).toBe(200);
    const renewed = sessionIn(headers);
    expect([await statusOf(renewed), await statusOf(meta.token), await statusOf(other)]).toEqual([200, 401, 401]);
  });

  test('a program that accepts an invitation goes on with its token, because it would not learn another', async () => {
    const email = newEmail();
    const { meta } = await register(email);
    const { link } = await app.build.invite(await app.build.school(), email);
    const accepted = await acceptInvite(meta.token, link);
    expect([accepted.status, accepted.headers['set-cookie']]).toEqual([200, undefined]);
    expect(await statusOf(meta.token)).toBe(200);
  });

  test('one browser registers, confirms in the next tab and accepts an invitation without a login', async () => {
    const school = await app.build.school();
    const email = newEmail();
    const { meta } = await register(email);
    await app.runJobs();
    const body = { token: linkTo(email, 'confirm/email/') };
    const confirmed = await app.call(accessCalls.confirmEmail, { body, headers: browser(meta.token) });
    const { link } = await app.build.invite(school, email);
    const accepted = await app.call(inviteCalls.acceptInvite, {
      params: { inviteId: link },
      headers: browser(sessionIn(confirmed.headers)),
    });
    expect(accepted.status).toBe(200);
    const { reply } = await app.call(accessCalls.getMe, { headers: browser(sessionIn(accepted.headers)) });
    expect(reply.user).toMatchObject({ email, enterprise_id: school.id });
  });

  test('confirming an address leaves the session of another user in the browser as it is', async () => {
    const { teacher } = await app.build.school();
    const email = newEmail();
    await register(email);
    await app.runJobs();
    const body = { token: linkTo(email, 'confirm/email/') };
    const { status, headers } = await app.call(accessCalls.confirmEmail, { body, headers: browser(teacher.token) });
    expect([status, sessionIn(headers), await statusOf(teacher.token)]).toEqual([200, '', 200]);
  });

  test('confirming an address does not revive a session that has ended', async () => {
    const email = newEmail();
    const { meta } = await register(email);
    await app.call(accessCalls.logOut, { token: meta.token });
    await app.runJobs();
    const body = { token: linkTo(email, 'confirm/email/') };
    const { headers } = await app.call(accessCalls.confirmEmail, { body, headers: browser(meta.token) });
    expect(sessionIn(headers)).toBe('');
  });

  test('confirming an address does not revive a session that was idle for 30 days', async () => {
    const email = newEmail();
    const { meta, user } = await register(email);
    app.setTime('2026-12-18T12:00:00.000Z');
    const body = { token: await app.build.link('email_confirmation', user.id, email) };
    await app.call(accessCalls.confirmEmail, { body, headers: browser(meta.token) });
    const sessions = app.database.kysely.selectFrom('sessions').select('user_id').where('user_id', '=', user.id);
    expect(await sessions.execute()).toEqual([]);
  });
});

describe('a login whose password is changed after it was found right', () => {
  interface Steps {
    prepare: (context: object) => Promise<unknown>;
    handle: (context: object) => Promise<unknown>;
  }
  const { prepare, handle } = accessHandlers.logIn as unknown as Steps;
  const contextOf = (email: string) => {
    const { database, clock } = app.services;
    const inTransaction = <T>(work: (db: PlatformDb) => Promise<T>) => inPlatform(database, work);
    const client = { userAgent: '', deviceToken: null };
    const body = { email, password: PASSWORD };
    return { body, client, now: clock.now(), services: app.services, read: inTransaction, write: inTransaction };
  };
  const changePassword = ({ email }: { email: string }) => reset(email, 'kite harbour 7');
  const rowsOf = (table: 'sessions' | 'login_steps', id: number) =>
    app.database.kysely.selectFrom(table).select('user_id').where('user_id', '=', id).execute();

  test('a login starts no session when the password is changed after it was found right', async () => {
    const { teacher } = await app.build.school();
    const context = contextOf(teacher.email);
    const prepared = await prepare(context);
    await changePassword(teacher);
    const start = inPlatform(app.services.database, (db) => handle({ ...context, db, prepared }));
    await expect(start).rejects.toMatchObject({ kind: 'login_failed' });
    expect(await rowsOf('sessions', teacher.id)).toEqual([]);
  });

  test('a login begins no second step when the password is changed after it was found right', async () => {
    const { teacher } = await app.build.school();
    await addPasskey(teacher.token);
    const context = contextOf(teacher.email);
    const write: typeof context.write = async (work) => {
      await changePassword(teacher);
      return context.write(work);
    };
    await expect(prepare({ ...context, write })).rejects.toMatchObject({ kind: 'login_failed' });
    expect(await rowsOf('login_steps', teacher.id)).toEqual([]);
  });
});

test('an account that must have a factor confirms its address first, and adds the factor at the next login', async () => {
  const { id, admin } = await app.build.school();
  const unconfirm = { email_confirmed_at: null, created_at: new Date('2026-11-18T12:00:00.000Z') };
  await app.database.kysely.updateTable('users').set(unconfirm).where('id', '=', admin.id).execute();
  const policy = { admins_factor_from: '2026-11-18' };
  await app.database.kysely.updateTable('schools').set(policy).where('id', '=', id).execute();
  const { status, reply } = await logIn(admin.email, PASSWORD);
  expect([status, reply.user.require_email_confirmation]).toEqual([200, true]);
  const school = { token: reply.meta.token, params: { id } };
  expect((await app.call(inviteCalls.listInvites, school)).error.code).toBe('email_not_confirmed');

  await app.call(accessCalls.resendConfirmation, { token: reply.meta.token });
  await app.runJobs();
  const body = { token: linkTo(admin.email, 'confirm/email/') };
  expect((await app.call(accessCalls.confirmEmail, { body })).status).toBe(200);
  expect((await logIn(admin.email, PASSWORD)).error.code).toBe('enrolment_required');
});

test('appointing an operator removes and lists every factor and linked account from before, and ends sessions', async () => {
  const { teacher } = await app.build.school();
  const { passkey } = await addPasskey(teacher.token);
  const linked = { provider: 'google', issuer: 'g', subject: teacher.email, tenant: null };
  await app.database.kysely
    .insertInto('linked_accounts')
    .values({ user_id: teacher.id, ...linked, created_at: new Date('2026-10-01T09:00:00.000Z') })
    .execute();
  const now = new Date('2026-11-18T12:00:00.000Z');
  const account = { id: teacher.id, email_confirmed_at: now };
  const removed = await inPlatform(app.services.database, (db) => appointOperator(db, account, teacher.email, now));
  expect(removed).toEqual([
    { name: 'Laptop', addedAt: '2026-11-18T12:00:00.000Z' },
    { name: 'google account', addedAt: '2026-10-01T09:00:00.000Z' },
  ]);
  expect(await statusOf(teacher.token)).toBe(401);
  expect((await logInWith(passkey)).error.code).toBe('passkey_failed');
  expect((await logIn(teacher.email, PASSWORD)).error.code).toBe('enrolment_required');
});

test.each([[{ password: 'kite harbour 7' }], [{ email: 'later@test.example' }]])(
  'a change of the login asks for a proof 15 minutes after a login with a second factor: %j',
  async (change) => {
    const { teacher } = await app.build.school();
    await addPasskey(teacher.token);
    app.setTime('2026-11-18T12:16:00.000Z');
    const body = { ...change, current_password: PASSWORD };
    const update = () => app.call(accessCalls.updateMe, { token: teacher.token, body });
    expect(await update()).toMatchObject({ status: 409, error: { code: 'proof_required' } });
    await app.database.kysely
      .updateTable('sessions')
      .set({ proved_at: new Date('2026-11-18T12:16:00.000Z') })
      .where('user_id', '=', teacher.id)
      .execute();
    expect((await update()).status).toBe(200);
  },
);
