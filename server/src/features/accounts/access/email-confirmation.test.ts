import { accessCalls } from '#contract/calls/access.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
const START = '2026-11-18T12:00:00.000Z';
const DUE = '2026-11-25T12:00:00.000Z';
let counter = 0;
const newEmail = () => `confirm-${(counter += 1)}@test.example`;

beforeEach(async () => {
  app.setTime(START);
  await app.runJobs();
  app.mails.length = 0;
});

const person = (email: string) => ({ first_name: 'Ada', last_name: 'Baker', email, password: PASSWORD });
const userOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).reply.user;
const loginStatus = async (email: string) =>
  (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).status;
/** The session that confirms goes on, and others end. */
const confirm = (link: string, token: string) => app.call(accessCalls.confirmEmail, { body: { token: link }, token });
/** The mails to an address, without those about logins. */
const mailsTo = (email: string) =>
  app.mails.filter(({ kind, recipient }) => recipient === email && kind !== 'new_device');
const linkIn = (email: string): string => /confirm\/email\/([\w-]+)/.exec(mailsTo(email).at(-1)?.text ?? '')?.[1] ?? '';

async function register(email = newEmail()) {
  const { reply } = await app.call(accessCalls.register, { body: person(email) });
  await app.runJobs();
  return { id: reply.user.id, token: reply.meta.token, email, link: linkIn(email) };
}

/** An admin with an unconfirmed address, and a school with accepted terms and a trial. */
async function registerAdmin() {
  const admin = await register();
  const body = { name: 'Elm Row', urn: null };
  const created = await app.call(schoolDetailsCalls.createSchool, { token: admin.token, body });
  const at = { token: admin.token, params: { id: created.reply.enterprise.id } };
  await app.call(schoolDetailsCalls.acceptTerms, at);
  await app.call(billingCalls.startTrial, { ...at, body: {} });
  return { ...admin, at };
}

describe('an address that was registered', () => {
  test('a registered address is confirmed by the link mailed to it, once', async () => {
    const { token, link } = await register();
    expect(await userOf(token)).toMatchObject({ email_confirmation_due_at: DUE, require_email_confirmation: false });
    const answers = await Promise.all([1, 2, 3].map(() => confirm(link, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    expect(await userOf(token)).toMatchObject({ email_confirmation_due_at: null });
    app.setTime(DUE);
    expect(await userOf(token)).toMatchObject({ require_email_confirmation: false });
    expect((await app.call(accessCalls.resendConfirmation, { token })).error.code).toBe('nothing_to_confirm');
  });

  test('an address is confirmed by an invitation, a set-up link and a reset link sent to it', async () => {
    const school = await app.build.school();
    const [invited, setUp, reset] = [await register(), await register(), await register()];
    const { link } = await app.build.invite(school, invited.email);
    await app.call(inviteCalls.acceptInvite, { token: invited.token, params: { inviteId: link } });
    const setUpLink = await app.build.link('set_up', setUp.id);
    await app.call(passwordCalls.exchangeSetUpLink, { body: { token: setUpLink } });
    const resetLink = await app.build.link('password_reset', reset.id);
    await app.call(passwordCalls.resetPassword, { body: { token: resetLink, password: 'kite harbour 7' } });
    const rows = await app.database.kysely
      .selectFrom('users')
      .select('email_confirmed_at')
      .where('id', 'in', [invited.id, setUp.id, reset.id])
      .execute();
    expect(rows.map(({ email_confirmed_at: at }) => at?.toISOString())).toEqual([START, START, START]);
  });

  test('an address gets no confirmation mail when an invitation confirms it first', async () => {
    const school = await app.build.school();
    const email = newEmail();
    const { link } = await app.build.invite(school, email);
    const { meta } = (await app.call(accessCalls.register, { body: person(email) })).reply;
    await app.call(inviteCalls.acceptInvite, { token: meta.token, params: { inviteId: link } });
    await app.runJobs();
    expect(mailsTo(email)).toEqual([]);
  });

  test('an address may stay unconfirmed for 7 days, then only the own account is open', async () => {
    const { at, token, email } = await registerAdmin();
    const list = () => app.call(inviteCalls.listInvites, at);
    app.setTime('2026-11-25T11:59:59.999Z');
    expect((await list()).status).toBe(200);
    app.setTime(DUE);
    expect(await list()).toMatchObject({ status: 409, error: { code: 'email_not_confirmed' } });
    expect(await userOf(token)).toMatchObject({ require_email_confirmation: true });
    expect(await loginStatus(email)).toBe(200);
    expect((await app.call(accessCalls.resendConfirmation, { token })).status).toBe(200);
    await app.runJobs();
    expect((await confirm(linkIn(email), token)).status).toBe(200);
    expect((await list()).status).toBe(200);
  });

  test('an invitation confirms an address even after its deadline', async () => {
    const school = await app.build.school();
    const email = newEmail();
    const { token } = (await app.call(accessCalls.register, { body: person(email) })).reply.meta;
    const { link } = await app.build.invite(school, email);
    app.setTime(DUE);
    expect(await userOf(token)).toMatchObject({ require_email_confirmation: true });
    const accept = () => app.call(inviteCalls.acceptInvite, { token, params: { inviteId: link } });
    expect((await accept()).status).toBe(200);
    expect(await userOf(token)).toMatchObject({ require_email_confirmation: false, email_confirmation_due_at: null });
  });

  test('confirming an address sends the invitations that waited for it', async () => {
    const { at, link } = await registerAdmin();
    const [first, second] = [newEmail(), newEmail()];
    const { reply } = await app.call(inviteCalls.sendInvites, { ...at, body: { email: [first, second] } });
    expect(reply.sent.map(({ email, is_held }) => [email, is_held])).toEqual([
      [first, true],
      [second, true],
    ]);
    await app.runJobs();
    expect([...mailsTo(first), ...mailsTo(second)]).toEqual([]);
    const { invites } = (await app.call(inviteCalls.listInvites, at)).reply;
    expect(invites.map(({ status, is_held }) => [status, is_held])).toEqual([
      ['pending', true],
      ['pending', true],
    ]);
    const inviteId = invites.find(({ email }) => email === second)?.id ?? '';
    await app.call(inviteCalls.removeInvite, { ...at, params: { ...at.params, inviteId } });
    await confirm(link, at.token);
    await app.runJobs();
    expect([mailsTo(first).length, mailsTo(second).length]).toEqual([1, 0]);
    expect((await app.call(inviteCalls.listInvites, at)).reply.invites.map(({ is_held }) => is_held)).toEqual([false]);
    const third = newEmail();
    const { sent } = (await app.call(inviteCalls.sendInvites, { ...at, body: { email: [third] } })).reply;
    expect(sent).toMatchObject([{ email: third, name: '', is_held: false }]);
    await app.runJobs();
    expect(mailsTo(third)).toHaveLength(1);
  });

  test('an invitation that is sent during the confirmation of an address is not lost', async () => {
    for (let time = 0; time < 5; time += 1) {
      const { at, link } = await registerAdmin();
      const email = newEmail();
      await Promise.all([
        app.call(inviteCalls.sendInvites, { ...at, body: { email: [email] } }),
        confirm(link, at.token),
      ]);
      await app.runJobs();
      expect(mailsTo(email)).toHaveLength(1);
    }
  });

  test('mails of an unconfirmed sender are held for 14 days', async () => {
    const { at, email } = await registerAdmin();
    await app.call(inviteCalls.sendInvites, { ...at, body: { email: [newEmail()] } });
    const waiting = () =>
      app.database.kysely.selectFrom('outbox').select('text').where('held_for', 'is not', null).execute();
    const before = (await waiting()).length;
    app.setTime('2026-12-02T11:59:00.000Z');
    await app.runJobs({ scheduled: true });
    const kept = await waiting();
    expect(kept.length).toBe(before);
    for (const { text } of kept) expect(text).toContain('has invited you');
    app.setTime('2026-12-02T12:00:00.000Z');
    await app.runJobs({ scheduled: true });
    expect(await waiting()).toEqual([]);
    // From this day the admin of a new school needs a second factor, for which the address is confirmed first.
    const login = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
    expect(login.reply.user).toMatchObject({ require_email_confirmation: true });
  });
});
