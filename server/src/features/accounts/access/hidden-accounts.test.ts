import { accessCalls } from '#contract/calls/access.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';

const app = testApp({ HIDE_ACCOUNTS: 'on' });
const NEW = 'kite harbour 7';
const person = (email: string) => ({ first_name: 'Ada', last_name: 'Baker', email, password: NEW });

/** Everything that a person who registers an address can observe, except for random values. */
async function observe(email: string) {
  const registered = await app.call(accessCalls.register, { body: person(email) });
  const { token } = registered.reply.meta;
  const login = await app.call(accessCalls.logIn, { body: { email, password: NEW } });
  const me = await app.call(accessCalls.getMe, { token });
  const changed = await app.call(accessCalls.updateMe, { token, body: { email, first_name: 'Bea' } });
  const school = await app.call(schoolDetailsCalls.createSchool, { token, body: { name: 'Elm Row', urn: null } });
  const wrong = await app.call(accessCalls.logIn, { body: { email, password: 'not this one' } });
  const { id: _, email: shown, ...user } = me.reply.user;
  return {
    statuses: [registered, login, me, changed, school, wrong].map(({ status }) => status),
    isShown: shown === email,
    user,
    isSameUser: [login, changed].every(({ reply }) => reply.user.id === registered.reply.user.id),
  };
}

test('registering an address that has an account looks like registering one that has none', async () => {
  const { teacher } = await app.build.school();
  const free = await observe('free@test.example');
  expect(free.statuses).toEqual([200, 200, 200, 200, 200, 401]);
  app.mails.length = 0;
  await app.runJobs();
  expect(app.mails.map(({ kind }) => kind)).toEqual(['email_confirmation']);

  expect(await observe(teacher.email)).toEqual(free);
  app.mails.length = 0;
  await app.runJobs();
  expect(app.mails.map(({ kind, recipient }) => [kind, recipient])).toEqual([['already_registered', teacher.email]]);
  // Its owner retains the account.
  const { reply } = await app.call(accessCalls.logIn, { body: { email: teacher.email, password: PASSWORD } });
  expect(reply.user.id).toBe(teacher.id);
});

test('a change to an address that has an account looks like any other, and never takes effect', async () => {
  const { teacher, admin } = await app.build.school();
  await app.runJobs();
  const body = { email: admin.email, current_password: PASSWORD };
  const { status, reply } = await app.call(accessCalls.updateMe, { token: teacher.token, body });
  expect({ status, pending: reply.user.pending_email }).toEqual({ status: 200, pending: admin.email });
  app.mails.length = 0;
  await app.runJobs();
  expect(app.mails.map(({ kind, recipient }) => [kind, recipient]).sort()).toEqual([
    ['already_registered', admin.email],
    ['email_change', teacher.email],
  ]);
});

test('an account that cannot be confirmed is deleted after 30 days, and no other account', async () => {
  const { teacher } = await app.build.school();
  app.setTime('2027-03-01T12:00:00.000Z');
  const [free, hidden] = await Promise.all(
    ['stays@test.example', teacher.email].map(async (email) => {
      const { reply } = await app.call(accessCalls.register, { body: person(email) });
      return reply.meta.token;
    }),
  );
  const status = async (token: string | undefined) => (await app.call(accessCalls.getMe, { token: token! })).status;
  app.setTime('2027-03-29T12:00:00.000Z');
  await app.runJobs({ scheduled: true });
  expect([await status(free), await status(hidden)]).toEqual([200, 200]);
  app.setTime('2027-03-31T12:00:00.000Z');
  await app.runJobs({ scheduled: true });
  expect([await status(free), await status(hidden)]).toEqual([200, 401]);
  expect((await app.call(accessCalls.logIn, { body: { email: teacher.email, password: PASSWORD } })).status).toBe(200);
});
