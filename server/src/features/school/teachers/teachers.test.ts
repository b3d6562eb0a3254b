import { accessCalls } from '#contract/calls/access.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD, type BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
type Who = { id: number; token: string };

const set = (school: BuiltSchool, by: Who, target: Who, admin: boolean | 0 | 1) =>
  app.call(teacherCalls.setAdmin, { token: by.token, params: { id: school.id, userId: target.id }, body: { admin } });
const remove = (school: BuiltSchool, by: Who, target: Who) =>
  app.call(teacherCalls.removeTeacher, { token: by.token, params: { id: school.id, userId: target.id } });
const adminsOf = async (school: BuiltSchool) =>
  (
    await app.database.kysely
      .selectFrom('staff')
      .select('user_id')
      .where('school_id', '=', school.id)
      .where('role', '=', 'admin')
      .execute()
  ).map(({ user_id }) => user_id);
const roleOf = async ({ token }: Who) => (await app.call(accessCalls.getMe, { token })).reply.user.enterprise_user_role;

describe('roles', () => {
  test('a role is granted and revoked at once, and is logged', async () => {
    const school = await app.build.school();
    expect((await set(school, school.admin, school.teacher, 1)).status).toBe(200);
    expect(await roleOf(school.teacher)).toBe('admin');
    expect((await set(school, school.teacher, school.admin, false)).status).toBe(200);
    expect([await roleOf(school.teacher), await roleOf(school.admin)]).toEqual(['admin', 'teacher']);
    const log = await app.call(schoolCalls.listAuditLog, { token: school.teacher.token, params: { id: school.id } });
    expect(log.reply.entries.map(({ action, actor, subject_id }) => [action, actor?.id, subject_id])).toEqual([
      ['teacher_demoted', school.teacher.id, String(school.admin.id)],
      ['teacher_promoted', school.admin.id, String(school.teacher.id)],
    ]);
  });

  test('a role that is granted twice is logged once', async () => {
    const school = await app.build.school();
    for (let time = 0; time < 2; time += 1)
      expect((await set(school, school.admin, school.teacher, true)).status).toBe(200);
    const log = await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } });
    expect(log.reply.entries).toHaveLength(1);
  });

  test('a user cannot change their own role', async () => {
    const school = await app.build.school();
    for (const admin of [true, false])
      expect(await set(school, school.admin, school.admin, admin)).toMatchObject({
        status: 409,
        error: { code: 'not_yourself' },
      });
    expect(await roleOf(school.admin)).toBe('admin');
  });

  test.each([[{}], [{ admin: 'yes' }], [{ admin: [true] }], [{ admin: null }], [{ admin: 2 }]])(
    'rejects the role %j',
    async (payload) => {
      const school = await app.build.school();
      const { status } = await app.ask('POST', `/enterprises/${school.id}/users/${school.teacher.id}/setadmin`, {
        token: school.admin.token,
        payload,
      });
      expect(status).toBe(422);
    },
  );
});

describe('the last admin', () => {
  test.each([
    ['demoting', (school: BuiltSchool, by: Who, target: Who) => set(school, by, target, false)],
    ['removing', remove],
  ])('one admin remains when two admins are %s each other at once', async (_, act) => {
    for (let time = 0; time < 5; time += 1) {
      const school = await app.build.school();
      await set(school, school.admin, school.teacher, true);
      const answers = await Promise.all([
        act(school, school.admin, school.teacher),
        act(school, school.teacher, school.admin),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(await adminsOf(school)).toHaveLength(1);
    }
  });

  test('one admin remains when one demotes while the other removes', async () => {
    for (let time = 0; time < 5; time += 1) {
      const school = await app.build.school();
      await set(school, school.admin, school.teacher, true);
      await Promise.all([
        set(school, school.admin, school.teacher, false),
        remove(school, school.teacher, school.admin),
      ]);
      expect(await adminsOf(school)).toHaveLength(1);
    }
  });
});

describe('removing a teacher', () => {
  test('a teacher who is removed loses classes, sessions and school, but not the account', async () => {
    const school = await app.build.school();
    const reset = await app.build.link('password_reset', school.teacher.id);
    expect((await remove(school, school.admin, school.teacher)).status).toBe(200);
    expect((await app.call(accessCalls.getMe, { token: school.teacher.token })).status).toBe(401);
    expect((await app.ask('POST', '/users/password/verify', { payload: { token: reset } })).status).toBe(404);

    const { reply } = await app.call(schoolCalls.getSchool, { token: school.admin.token, params: { id: school.id } });
    expect(reply.enterprise.users.map(({ id }) => id)).toEqual([school.admin.id]);
    expect(reply.enterprise.groups.map(({ manager_id }) => manager_id)).toEqual([null, null]);

    const login = await app.call(accessCalls.logIn, { body: { email: school.teacher.email, password: PASSWORD } });
    expect(login.reply.user).toMatchObject({ enterprise: null, enterprise_user_role: null });
    expect(
      (await app.call(schoolCalls.getSchool, { token: login.reply.meta.token, params: { id: school.id } })).status,
    ).toBe(403);
    const log = await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } });
    expect(log.reply.entries[0]).toMatchObject({
      action: 'teacher_removed',
      subject_id: String(school.teacher.id),
      details: { role: 'teacher', classes: 1 },
    });
  });

  test('rejects the removal of the caller, a former colleague, and a teacher of another school', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    expect(await remove(school, school.admin, school.admin)).toMatchObject({
      status: 409,
      error: { code: 'not_yourself' },
    });
    expect((await remove(school, school.admin, otherSchool.teacher)).status).toBe(404);
    const twice = await Promise.all([
      remove(school, school.admin, school.teacher),
      remove(school, school.admin, school.teacher),
    ]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect((await app.call(accessCalls.getMe, { token: otherSchool.teacher.token })).status).toBe(200);
  });
});
