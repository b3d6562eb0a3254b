/** The calls of the specification about accounts and invitations, by their literal paths and fields. */
import { expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { PASSWORD } from '../testing/builder.ts';

const app = testApp();
const NEW = 'kite harbour 7';

interface Reply {
  user: object;
  meta: { token: string };
  invite: object;
  invites: object[];
}

/** Makes a call that must succeed, and returns its reply. */
async function send(method: string, path: string, { token, payload }: { token?: string; payload?: object } = {}) {
  const { status, reply, text } = await app.ask(method, path, { ...(token && { token }), ...(payload && { payload }) });
  expect(status, `${method} ${path}: ${text}`).toBe(200);
  return reply as Reply;
}

const statusOf = async (method: string, path: string, payload?: object, token?: string) =>
  (await app.ask(method, path, { ...(token && { token }), ...(payload && { payload }) })).status;
const loginStatus = (email: string, password: string) => statusOf('POST', '/auth', { email, password });

async function mailedResetToken(email: string): Promise<string> {
  await send('POST', '/users/resetpassword', { payload: { email, isSchool: true } });
  await app.runJobs();
  const mail = app.mails.findLast(({ recipient }) => recipient === email);
  return /\/password\/reset\?token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '';
}

test('POST /auth takes email and password, and returns user and meta.token', async () => {
  const { admin } = await app.build.school();
  const reply = await send('POST', '/auth', { payload: { email: admin.email, password: PASSWORD } });
  expect(reply).toEqual({
    user: expect.objectContaining({ id: admin.id, email: admin.email }),
    meta: { token: expect.stringMatching(/./) },
  });
});

test('DELETE /auth ends the session of the token', async () => {
  const { admin } = await app.build.school();
  expect(await statusOf('GET', '/users/me', undefined, admin.token)).toBe(200);
  await send('DELETE', '/auth', admin);
  expect(await statusOf('GET', '/users/me', undefined, admin.token)).toBe(401);
});

test('POST /users takes names, email, password and user_type, and returns user and meta.token', async () => {
  const payload = {
    first_name: 'Ada',
    last_name: 'Baker',
    email: 'ada.baker@test.example',
    password: NEW,
    user_type: 'standard',
  };
  const { user, meta } = await send('POST', '/users', { payload });
  const { password: _, ...stored } = payload;
  expect(user).toMatchObject(stored);
  expect((await send('GET', '/users/me', meta)).user).toEqual(user);
  expect(await loginStatus(payload.email, NEW)).toBe(200);
});

test('GET /users/me returns the user', async () => {
  const { teacher, id } = await app.build.school();
  const { user } = await send('GET', '/users/me', teacher);
  expect(user).toMatchObject({ id: teacher.id, email: teacher.email, enterprise_id: id });
});

test('POST /users/me takes the password alone from a user who must choose one', async () => {
  const { teacher } = await app.build.school();
  const flag = { require_password_reset: true };
  await app.database.kysely.updateTable('users').set(flag).where('id', '=', teacher.id).execute();
  await send('POST', '/users/me', { token: teacher.token, payload: { password: NEW } });
  expect(await loginStatus(teacher.email, NEW)).toBe(200);
});

test('POST /users/resetpassword takes email and isSchool, and mails a link', async () => {
  const { teacher } = await app.build.school();
  expect(await mailedResetToken(teacher.email)).not.toBe('');
  expect(await statusOf('POST', '/users/resetpassword', { email: teacher.email, isSchool: 'perhaps' })).toBe(422);
});

test('POST /users/password/verify takes the token, and leaves the link valid', async () => {
  const { teacher } = await app.build.school();
  const token = await mailedResetToken(teacher.email);
  for (let time = 0; time < 2; time += 1) await send('POST', '/users/password/verify', { payload: { token } });
  expect(await statusOf('POST', '/users/password/verify', { token: `${token}x` })).toBe(404);
});

test('POST /users/password/update takes token and password, and sets the password', async () => {
  const { teacher } = await app.build.school();
  const token = await mailedResetToken(teacher.email);
  await send('POST', '/users/password/update', { payload: { token, password: NEW } });
  expect([await loginStatus(teacher.email, PASSWORD), await loginStatus(teacher.email, NEW)]).toEqual([401, 200]);
});

test('GET /enterprises/{id}/invites returns the invites of the school', async () => {
  const school = await app.build.school();
  const { id, email } = await app.build.invite(school);
  const { invites } = await send('GET', `/enterprises/${school.id}/invites`, school.admin);
  expect(invites).toMatchObject([{ id, email, status: 'pending' }]);
});

test('GET /enterprises/invites/{id} returns an invite with its status and email to a guest with the link', async () => {
  const { link, email } = await app.build.invite(await app.build.school());
  const { invite } = await send('GET', `/enterprises/invites/${link}`);
  expect(invite).toMatchObject({ id: link, status: 'pending', email });
});

test('GET /enterprises/invites/{id} opens no invite by the ID in the school’s list', async () => {
  const { id, link } = await app.build.invite(await app.build.school());
  expect(id).not.toBe(link);
  expect(await statusOf('GET', `/enterprises/invites/${id}`)).toBe(404);
});

test('POST /enterprises/invites/{id}/accept takes an empty body, and makes the user a member of the school', async () => {
  const school = await app.build.school();
  const { link, email } = await app.build.invite(school);
  const payload = { first_name: 'Robin', last_name: 'Newcomer', email, password: NEW, user_type: 'enterprise' };
  const { meta } = await send('POST', '/users', { payload });
  await send('POST', `/enterprises/invites/${link}/accept`, meta);
  const { user } = await send('GET', '/users/me', meta);
  expect(user).toMatchObject({ enterprise: { id: school.id }, enterprise_user_role: 'teacher' });
});

test('POST /enterprises/invites/{id}/decline takes an empty body, and declines', async () => {
  const { link } = await app.build.invite(await app.build.school());
  await send('POST', `/enterprises/invites/${link}/decline`);
  const { invite } = await send('GET', `/enterprises/invites/${link}`);
  expect(invite).toMatchObject({ status: 'declined' });
});
