import { accessCalls } from '#contract/calls/access.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { beforeEach, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { listBlockedAddresses } from '../../../mail/delivery.queries.ts';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD, type Person } from '../../../testing/builder.ts';
import { passwordResetJob } from './access.jobs.ts';
import { completeDueEmailChange } from './email-change.service.ts';

const app = testApp();
const START = '2026-11-18T12:00:00.000Z';
const BEFORE_DUE = '2026-11-19T11:59:00.000Z';
const DUE = '2026-11-19T12:00:00.000Z';
let counter = 0;
const newEmail = () => `change-${(counter += 1)}@test.example`;

beforeEach(async () => {
  app.setTime(START);
  await app.runJobs();
  app.mails.length = 0;
});

const userOf = async (token: string) => (await app.call(accessCalls.getMe, { token })).reply.user;
const logIn = async (email: string) =>
  (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).status;
const confirm = (link: string, token?: string) =>
  app.call(accessCalls.confirmEmail, { body: { token: link }, ...(token && { token }) });
const verify = (token: string) => app.call(accessCalls.verifyEmailChange, { body: { token } });
const stop = (token: string) => app.call(accessCalls.stopEmailChange, { body: { token } });
const agree = (token: string) => app.call(accessCalls.agreeToEmailChange, { body: { token } });
const mailsTo = (email: string) =>
  app.mails.filter(({ kind, recipient }) => recipient === email && kind !== 'new_device');
/** The token in the latest mail to an address with such a link. */
const linkIn = (email: string, path: string): string =>
  mailsTo(email)
    .flatMap(({ text }) => new RegExp(`${path}/([\\w-]+)`).exec(text)?.[1] ?? [])
    .at(-1) ?? '';

const emailOf = async (id: number) =>
  (await app.database.kysely.selectFrom('users').select('email').where('id', '=', id).executeTakeFirst())?.email;

/** Requests another address. Returns it with the links in both mails. */
async function requestChange({ token, email: old }: Pick<Person, 'token' | 'email'>, email = newEmail()) {
  const { status } = await app.call(accessCalls.updateMe, { token, body: { email, current_password: PASSWORD } });
  expect(status).toBe(200);
  await app.runJobs();
  return { email, link: linkIn(email, 'confirm/email'), announced: linkIn(old, 'email-change') };
}

async function runDueChanges(timestamp: string): Promise<void> {
  app.setTime(timestamp);
  await app.runJobs({ scheduled: true });
}

test('a change of email address is announced to the old one at once, in a mail that does not name the new one', async () => {
  const { teacher } = await app.build.school();
  const { email, announced } = await requestChange(teacher);
  const [mail] = mailsTo(teacher.email);
  expect(mail).toMatchObject({ kind: 'email_change', subject: 'Someone asked to change your Storylark email' });
  expect(`${mail?.text} ${mail?.html}`).not.toContain(email);
  expect((await verify(announced)).reply).toEqual({ email, due_at: null });
});

test('a member of staff gets their new address 24 hours after confirming it, and every session ends', async () => {
  const { teacher } = await app.build.school();
  const { email, link } = await requestChange(teacher);
  expect((await confirm(link, teacher.token)).reply).toEqual({ email_changes_at: DUE });
  expect(await userOf(teacher.token)).toMatchObject({
    email: teacher.email,
    pending_email: email,
    pending_email_due_at: DUE,
  });
  await runDueChanges(BEFORE_DUE);
  expect([await logIn(teacher.email), await logIn(email)]).toEqual([200, 401]);
  await runDueChanges(DUE);
  expect([await logIn(teacher.email), await logIn(email)]).toEqual([401, 200]);
  expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(401);
  expect(mailsTo(teacher.email).map(({ subject }) => subject)).toEqual([
    'Someone asked to change your Storylark email',
    'Your Storylark email changed',
  ]);
});

test('every mail goes to the old address until the new one takes effect', async () => {
  const { teacher } = await app.build.school();
  const { email, link } = await requestChange(teacher);
  await confirm(link);
  app.mails.length = 0;
  await app.call(passwordCalls.requestPasswordReset, { body: { email: teacher.email } });
  await app.runJobs();
  expect(app.mails.map(({ recipient }) => recipient)).toEqual([teacher.email]);
  expect(mailsTo(email)).toEqual([]);
});

test('what came back to the former address no longer counts once it is given up', async () => {
  const { teacher } = await app.build.school();
  const { kysely } = app.database;
  const mail = { kind: 'invite', recipient: teacher.email, created_at: new Date(), counts_against_address: true };
  await kysely
    .insertInto('outbox')
    .values([mail, mail].map((row) => ({ ...row, delivery: 'bounced' as const })))
    .execute();
  const isBlocked = async () =>
    (await inPlatform(app.database, (db) => listBlockedAddresses(db, [teacher.email]))).has(teacher.email);
  expect(await isBlocked()).toBe(true);
  const { link } = await requestChange(teacher);
  await confirm(link, teacher.token);
  expect(await isBlocked()).toBe(true);
  await runDueChanges(DUE);
  expect(await isBlocked()).toBe(false);
});

test('a confirmed address takes effect at once when the old address agrees', async () => {
  const { teacher } = await app.build.school();
  const { email, link, announced } = await requestChange(teacher);
  await confirm(link);
  expect((await verify(announced)).reply).toEqual({ email, due_at: DUE });
  expect((await agree(announced)).reply).toEqual({ is_done: true });
  expect([await logIn(teacher.email), await logIn(email)]).toEqual([401, 200]);
  expect((await agree(announced)).error.code).toBe('token_expired');
});

test('an address takes effect with its confirmation when the old one has agreed, and the confirming session goes on', async () => {
  const { teacher } = await app.build.school();
  const { email, link, announced } = await requestChange(teacher);
  expect((await agree(announced)).reply).toEqual({ is_done: false });
  expect(await userOf(teacher.token)).toMatchObject({ email: teacher.email, pending_email: email });
  expect((await confirm(link, teacher.token)).reply).toEqual({ email_changes_at: null });
  expect(await userOf(teacher.token)).toMatchObject({ email, pending_email: null, pending_email_due_at: null });
});

test('an account without a school gets its new address with the confirmation', async () => {
  const person = await app.build.person('enterprise');
  const { email, link } = await requestChange(person);
  expect((await confirm(link)).reply).toEqual({ email_changes_at: null });
  expect([await logIn(person.email), await logIn(email)]).toEqual([401, 200]);
});

test('an operator waits 24 hours for a new address, although an operator has no school', async () => {
  const operator = await app.build.operator();
  const { link } = await requestChange(operator);
  expect((await confirm(link)).reply).toEqual({ email_changes_at: DUE });
});

test('a mistyped address is corrected with the confirmation, and no stranger gets a mail', async () => {
  const mistyped = newEmail();
  const person = { first_name: 'Ada', last_name: 'Baker', email: mistyped, password: PASSWORD };
  const { token } = (await app.call(accessCalls.register, { body: person })).reply.meta;
  await app.runJobs();
  const first = linkIn(mistyped, 'confirm/email');
  app.mails.length = 0;
  const { email, link } = await requestChange({ token, email: mistyped });
  expect((await confirm(link, token)).reply).toEqual({ email_changes_at: null });
  await app.runJobs();
  expect(await userOf(token)).toMatchObject({ email, email_confirmation_due_at: null });
  expect(mailsTo(mistyped)).toEqual([]);
  expect((await confirm(first)).status).toBe(404);
});

test('the old address stops a change, which ends every session', async () => {
  const { teacher } = await app.build.school();
  const { email, link, announced } = await requestChange(teacher);
  await confirm(link);
  expect((await stop(announced)).status).toBe(200);
  expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(401);
  await runDueChanges(DUE);
  expect([await logIn(teacher.email), await logIn(email)]).toEqual([200, 401]);
  for (const use of [stop, agree, verify]) expect((await use(announced)).error.code).toBe('token_expired');
  expect((await confirm(link)).status).toBe(404);
});

test('a user cancels a change that is confirmed and waits', async () => {
  const { teacher } = await app.build.school();
  const { email, link, announced } = await requestChange(teacher);
  await confirm(link);
  const { reply } = await app.call(accessCalls.cancelEmailChange, { token: teacher.token });
  expect(reply.user).toMatchObject({ email: teacher.email, pending_email: null, pending_email_due_at: null });
  await runDueChanges(DUE);
  expect([await logIn(teacher.email), await logIn(email)]).toEqual([200, 401]);
  expect((await agree(announced)).status).toBe(404);
});

test('another change replaces the first, whose links stop working', async () => {
  const { teacher } = await app.build.school();
  const first = await requestChange(teacher);
  const second = await requestChange(teacher);
  expect((await confirm(first.link)).status).toBe(404);
  expect((await stop(first.announced)).status).toBe(404);
  expect((await verify(second.announced)).reply.email).toBe(second.email);
});

test.each([
  [
    'a reset password',
    async ({ id }: Person) => {
      const token = await app.build.link('password_reset', id);
      return app.call(passwordCalls.resetPassword, { body: { token, password: 'kite harbour 7' } });
    },
  ],
  [
    'a new password',
    ({ token }: Person) =>
      app.call(accessCalls.updateMe, { token, body: { password: 'kite harbour 7', current_password: PASSWORD } }),
  ],
  [
    'a set-up link',
    async ({ id }: Person) =>
      app.call(passwordCalls.exchangeSetUpLink, { body: { token: await app.build.link('set_up', id) } }),
  ],
])('%s ends a change that is confirmed and waits', async (_, act) => {
  const { teacher } = await app.build.school();
  const { link } = await requestChange(teacher);
  await confirm(link);
  expect((await act(teacher)).status).toBe(200);
  await runDueChanges(DUE);
  expect(await emailOf(teacher.id)).toBe(teacher.email);
  const left = await app.database.kysely.selectFrom('email_changes').select('user_id').execute();
  expect(left.map(({ user_id }) => user_id)).not.toContain(teacher.id);
});

test('removing a person from the school ends their change', async () => {
  const { id, admin, teacher } = await app.build.school();
  const { link } = await requestChange(teacher);
  const params = { id, userId: teacher.id };
  expect((await app.call(teacherCalls.removeTeacher, { token: admin.token, params })).status).toBe(200);
  expect((await confirm(link)).status).toBe(404);
});

test('a change ends after 7 days without a confirmation, unless its link is sent again', async () => {
  const { teacher } = await app.build.school();
  const { link } = await requestChange(teacher);
  app.setTime('2026-11-24T12:00:00.000Z');
  expect((await app.call(accessCalls.resendConfirmation, { token: teacher.token })).status).toBe(200);
  app.setTime('2026-11-30T12:00:00.000Z');
  expect(await userOf(teacher.token)).toMatchObject({ pending_email: expect.any(String) as string });
  app.setTime('2026-12-01T12:00:00.000Z');
  expect(await userOf(teacher.token)).toMatchObject({ pending_email: null });
  expect((await confirm(link)).status).toBe(404);
  await app.runJobs({ scheduled: true });
  const left = await app.database.kysely.selectFrom('email_changes').select('user_id').execute();
  expect(left.map(({ user_id }) => user_id)).not.toContain(teacher.id);
});

test('of two accounts without a school, the one that confirms an address first gets it', async () => {
  const people = [await app.build.person('enterprise'), await app.build.person('enterprise')];
  const email = newEmail();
  const links = [];
  for (const person of people) links.push((await requestChange(person, email)).link);
  const answers = await Promise.all(links.map((link) => confirm(link)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(answers.find(({ status }) => status === 400)?.error.error).toBe('Duplicate email');
});

test('a change ends with a mail when someone registers the new address while it waits', async () => {
  const { teacher } = await app.build.school();
  const { email, link } = await requestChange(teacher);
  await confirm(link);
  const person = { first_name: 'Ada', last_name: 'Baker', email, password: PASSWORD };
  expect((await app.call(accessCalls.register, { body: person })).status).toBe(200);
  app.mails.length = 0;
  await runDueChanges(DUE);
  expect(mailsTo(teacher.email).map(({ subject }) => subject)).toEqual(['Your Storylark email has not changed']);
  expect([await logIn(teacher.email), await logIn(email)]).toEqual([200, 200]);
  expect(await userOf(teacher.token)).toMatchObject({ email: teacher.email, pending_email: null });
});

test('two simultaneous runs of the job carry a change out once, and not before its day', async () => {
  const { teacher } = await app.build.school();
  const { link } = await requestChange(teacher);
  await confirm(link);
  app.mails.length = 0;
  const { config, database } = app.services;
  const complete = (at: string) =>
    inPlatform(database, (db) => completeDueEmailChange(db, teacher.id, config, new Date(at)));
  await complete(BEFORE_DUE);
  expect(await emailOf(teacher.id)).toBe(teacher.email);
  await Promise.all([complete(DUE), complete(DUE)]);
  await app.runJobs();
  expect(mailsTo(teacher.email)).toHaveLength(1);
});

test('a change that is confirmed twice takes effect 24 hours after the first time', async () => {
  const { teacher } = await app.build.school();
  const { link } = await requestChange(teacher);
  const again = await app.build.link('email_confirmation', teacher.id, `change-${counter}@test.example`);
  await confirm(link);
  app.setTime('2026-11-18T12:30:00.000Z');
  expect((await confirm(again)).reply).toEqual({ email_changes_at: DUE });
  expect((await app.call(accessCalls.resendConfirmation, { token: teacher.token })).error.code).toBe(
    'nothing_to_confirm',
  );
});

test('a reset mail that is still waiting when the address changes is never sent', async () => {
  const person = await app.build.person('enterprise');
  const { email, link } = await requestChange(person);
  await passwordResetJob(app.services).run({ userId: person.id });
  await confirm(link);
  app.mails.length = 0;
  await app.runJobs();
  expect(app.mails.map(({ kind }) => kind)).toEqual(['account_changed']);
  await passwordResetJob(app.services).run({ userId: person.id });
  await app.runJobs();
  expect(mailsTo(email).map(({ kind }) => kind)).toEqual(['password_reset']);
});
