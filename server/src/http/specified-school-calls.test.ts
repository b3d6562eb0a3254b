/** The calls of the specification about the account, the school, its staff and classes, by their literal paths and fields. */
import type { ReplyOf } from '#contract/call.ts';
import type { classCalls } from '#contract/calls/classes.ts';
import type { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { type BuiltSchool, CONTACT, PASSWORD } from '../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let ownClass: string;

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
  ownClass = `/enterprises/${school.id}/groups/${school.ownClass.id}`;
});

/** Makes a call that must succeed, by default as the admin, and returns its reply. */
async function send(method: string, path: string, payload?: object, token = school.admin.token): Promise<unknown> {
  const { status, reply, text } = await app.ask(method, path, { token, ...(payload ? { payload } : {}) });
  expect({ path, status, text }).toMatchObject({ path, status: 200 });
  return reply;
}
const me = async (token: string) => ((await send('GET', '/users/me', undefined, token)) as { user: object }).user;
const readSchool = async () =>
  ((await send('GET', `/enterprises/${school.id}`)) as ReplyOf<typeof schoolCalls.getSchool>).enterprise;
const readClass = async (path = ownClass) => ((await send('GET', path)) as ReplyOf<typeof classCalls.getClass>).group;

describe('the base and the token', () => {
  test('the calls are under the versioned base /v1 and under no other', async () => {
    const headers = { authorization: `Bearer ${school.admin.token}` };
    const statusAt = async (url: string) => (await app.fastify.inject({ method: 'GET', url, headers })).statusCode;
    expect(await statusAt('/v1/users/me')).toBe(200);
    expect(await statusAt('/users/me')).toBe(404);
    expect(await statusAt('/v2/users/me')).toBe(404);
  });

  test('a call takes the token in the header Authorization, after the word Bearer, and answers 401 without it', async () => {
    const statusWith = async (headers: Record<string, string>) =>
      (await app.fastify.inject({ method: 'GET', url: '/v1/users/me', headers })).statusCode;
    expect(await statusWith({ authorization: `Bearer ${school.admin.token}` })).toBe(200);
    expect(await statusWith({})).toBe(401);
    expect(await statusWith({ 'x-token': school.admin.token })).toBe(401);
  });
});

describe('the account', () => {
  test('POST /users/me changes names, email, digest and password, and GET /users/me returns the user', async () => {
    const { teacher } = school;
    const names = { first_name: 'Grace', last_name: 'Lim', weekly_school_digest_optin: true };
    await send('POST', '/users/me', { ...names, email: teacher.email }, teacher.token);
    expect(await me(teacher.token)).toMatchObject({
      first_name: 'Grace',
      last_name: 'Lim',
      email: teacher.email,
      weekly_school_digest_optin_at: '2026-11-18T12:00:00.000Z',
    });
    const password = { password: 'seven-paper-boats', current_password: PASSWORD };
    await send('POST', '/users/me', { ...names, email: teacher.email, ...password }, teacher.token);
    const login = { payload: { email: teacher.email, password: 'seven-paper-boats' } };
    expect((await app.ask('POST', '/auth', login)).status).toBe(200);
  });
});

describe('the school', () => {
  test('GET /enterprises/{id} returns the school with its classes, staff and set-up flags', async () => {
    expect(await readSchool()).toMatchObject({
      id: school.id,
      name: school.name,
      groups: [{ name: 'Year 3 Wrens' }, { name: 'Year 5 Swifts' }],
      users: [{ enterprise_user_role: 'admin' }, { enterprise_user_role: 'teacher' }],
      setup: {
        has_setup_teachers: true,
        has_setup_classes: true,
        has_setup_pupils: true,
        has_setup_assigned_books: false,
        has_chart_data: false,
      },
    });
  });

  test('POST /enterprises/{id} with recording_enabled 1 enables recordings, and with 0 disables them', async () => {
    await app.database.kysely
      .updateTable('schools')
      .set({ can_enable_recordings: true })
      .where('id', '=', school.id)
      .execute();
    for (const [sent, stored] of [
      [1, true],
      [0, false],
    ] as const) {
      await send('POST', `/enterprises/${school.id}`, { recording_enabled: sent });
      expect(await readSchool()).toMatchObject({ recording_enabled: stored });
    }
  });

  test('POST /enterprises/{id} with name, urn and type changes the school', async () => {
    await send('POST', `/enterprises/${school.id}`, { name: 'Elm Row Primary', urn: '123456', type: 'school' });
    expect(await readSchool()).toMatchObject({ name: 'Elm Row Primary', urn: '123456', type: 'school' });
  });

  test('POST /enterprises/{id}/contacts saves the contact', async () => {
    await send('POST', `/enterprises/${school.id}/contacts`, { contact: CONTACT });
    expect(await readSchool()).toMatchObject({ contacts: [CONTACT] });
  });
});

describe('invites', () => {
  const path = () => `/enterprises/${school.id}/invites`;
  const emails = async () => ((await send('GET', path())) as { invites: { email: string }[] }).invites;

  test('GET /enterprises/{id}/invites returns the invites to an admin, and 403 to a teacher', async () => {
    const { email } = await app.build.invite(school);
    expect(await emails()).toMatchObject([{ email, status: 'pending' }]);
    expect((await app.ask('GET', path(), { token: school.teacher.token })).status).toBe(403);
  });

  test('POST /enterprises/{id}/invites takes lists of emails and names, and returns sent and failed', async () => {
    const lists = { email: ['grace@test.example', 'no address'], name: ['Grace Lim', 'Tom Price'] };
    expect(await send('POST', path(), lists)).toMatchObject({
      sent: [{ email: 'grace@test.example', name: 'Grace Lim' }],
      failed: [{ email: 'no address', name: 'Tom Price', error: expect.any(String) }],
    });
    expect(await emails()).toMatchObject([{ email: 'grace@test.example', name: 'Grace Lim' }]);
  });

  test('POST /enterprises/{id}/invites takes a file as teachers_file, and returns sent and failed', async () => {
    const form = new FormData();
    form.append('teachers_file', new Blob(['Name,Email\nGrace Lim,grace@test.example\n']), 'teachers.csv');
    const encoded = new Response(form);
    const { reply } = await app.ask('POST', path(), {
      token: school.admin.token,
      payload: Buffer.from(await encoded.arrayBuffer()),
      headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
    });
    expect(reply).toMatchObject({ sent: [{ email: 'grace@test.example', name: 'Grace Lim' }], failed: [] });
  });

  test('DELETE /enterprises/{id}/invites/{inviteId} deletes the invite', async () => {
    const { id } = await app.build.invite(school);
    await send('DELETE', `${path()}/${id}`);
    expect(await emails()).toEqual([]);
  });

  test('POST /enterprises/{id}/invites/{inviteId}/resend needs no body and returns the invite with its new expiry', async () => {
    const { id } = await app.build.invite(school);
    app.setTime('2026-11-20T12:00:00.000Z');
    const resent = await send('POST', `${path()}/${id}/resend`);
    expect(resent).toMatchObject({ invite: { id, status: 'pending', expires_at: '2026-12-04T12:00:00.000Z' } });
  });
});

describe('staff', () => {
  test('DELETE /enterprises/{id}/users/{userId} removes the teacher from the school', async () => {
    await send('DELETE', `/enterprises/${school.id}/users/${school.teacher.id}`);
    expect(await readSchool()).toMatchObject({ users: [{ id: school.admin.id }] });
  });

  test('POST /enterprises/{id}/users/{userId}/setadmin with admin promotes and demotes', async () => {
    const path = `/enterprises/${school.id}/users/${school.teacher.id}/setadmin`;
    await send('POST', path, { admin: 1 });
    expect(await me(school.teacher.token)).toMatchObject({ enterprise_user_role: 'admin' });
    await send('POST', path, { admin: 0 });
    expect(await me(school.teacher.token)).toMatchObject({ enterprise_user_role: 'teacher' });
  });

  test('setadmin answers 409 proof_required 15 minutes after the login, until POST /users/me/proof has the password', async () => {
    const { token } = school.admin;
    const promote = () =>
      app.ask('POST', `/enterprises/${school.id}/users/${school.teacher.id}/setadmin`, {
        token,
        payload: { admin: 1 },
      });
    app.setTime('2026-11-18T12:16:00.000Z');
    const unproven = await promote();
    await send('POST', '/users/me/proof', { password: PASSWORD });
    const proven = await promote();
    expect(unproven).toMatchObject({ status: 409, error: { code: 'proof_required' } });
    expect(proven.status).toBe(200);
  });
});

describe('classes', () => {
  test('POST /enterprises/{id}/groups creates a class with the name, taught by the caller with assign_self', async () => {
    const create = (payload: object) => send('POST', `/enterprises/${school.id}/groups`, payload);
    const taught = await create({ name: 'Robins', assign_self: 1 });
    expect(taught).toMatchObject({ group: { name: 'Robins', manager_id: school.admin.id } });
    expect(await create({ name: 'Larks', assign_self: 0 })).toMatchObject({ group: { manager_id: null } });
    const { id } = (taught as ReplyOf<typeof classCalls.createClass>).group;
    expect(await readClass(`/enterprises/${school.id}/groups/${id}`)).toMatchObject({ name: 'Robins' });
  });

  test('GET /enterprises/{id}/groups/{groupId} returns the class with its pupils', async () => {
    expect(await readClass()).toMatchObject({
      id: school.ownClass.id,
      name: 'Year 3 Wrens',
      readers: [{ name: 'Ada Baker' }, { name: 'Zoë Łukasik' }],
    });
  });

  test('POST /enterprises/{id}/groups/{groupId} with name renames the class', async () => {
    await send('POST', ownClass, { name: 'Year 3 Herons' });
    expect(await readClass()).toMatchObject({ name: 'Year 3 Herons' });
  });

  test('DELETE /enterprises/{id}/groups/{groupId} deletes the class, which the calls of the archive list and restore', async () => {
    await send('DELETE', ownClass);
    expect((await app.ask('GET', ownClass, { token: school.admin.token })).status).toBe(404);
    const archive = `/enterprises/${school.id}/archive/groups`;
    expect(JSON.stringify(await send('GET', archive))).toContain('Year 3 Wrens');
    await send('POST', `${archive}/${school.ownClass.id}/restore`);
    expect(await readClass()).toMatchObject({ name: 'Year 3 Wrens' });
  });

  test('POST /enterprises/{id}/groups/{groupId}/users/{userId} assigns the teacher to the class', async () => {
    const otherClass = `/enterprises/${school.id}/groups/${school.otherClass.id}`;
    await send('POST', `${otherClass}/users/${school.teacher.id}`);
    expect(await readClass(otherClass)).toMatchObject({ manager_id: school.teacher.id });
  });

  test('DELETE /enterprises/{id}/groups/{groupId}/users needs no body and removes the teacher from the class', async () => {
    await send('DELETE', `${ownClass}/users`);
    expect(await readClass()).toMatchObject({ manager_id: null, manager: null });
  });
});
