import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import type { AssignableRole } from '#contract/permissions.ts';
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
const setRole = (school: BuiltSchool, target: Who, role: AssignableRole) =>
  app.call(teacherCalls.setStaffRole, {
    token: school.admin.token,
    params: { id: school.id, userId: target.id },
    body: { role },
  });
const classOf = async (school: BuiltSchool) =>
  (
    await app.call(classCalls.getClass, {
      token: school.admin.token,
      params: { id: school.id, groupId: school.ownClass.id },
    })
  ).reply.group;
const addTeacher = (school: BuiltSchool, person: Who) =>
  app.call(classCalls.addClassTeacher, {
    token: school.admin.token,
    params: { id: school.id, groupId: school.ownClass.id, userId: person.id },
  });
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

  test('a change to another role is logged with the role', async () => {
    const school = await app.build.school();
    for (const role of ['business_manager', 'business_manager', 'admin', 'reading_lead', 'teacher'] as const)
      expect((await setRole(school, school.teacher, role)).status).toBe(200);
    const log = await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } });
    expect(log.reply.entries.map(({ action, details }) => [action, details])).toEqual([
      ['role_changed', { role: 'teacher' }],
      ['role_changed', { role: 'reading_lead' }],
      ['teacher_promoted', {}],
      ['role_changed', { role: 'business_manager' }],
    ]);
  });

  test('a teacher who becomes a teaching assistant stays in their classes, and the next teacher becomes the first', async () => {
    const school = await app.build.school();
    const next = await app.build.staff(school, 'teacher');
    await addTeacher(school, next);
    expect((await setRole(school, school.teacher, 'teaching_assistant')).status).toBe(200);
    const schoolClass = await classOf(school);
    expect([schoolClass.manager_id, schoolClass.teachers, schoolClass.assistants]).toMatchObject([
      next.id,
      [{ id: next.id }],
      [{ id: school.teacher.id }],
    ]);
    expect((await setRole(school, school.teacher, 'reading_lead')).status).toBe(200);
    expect((await classOf(school)).teachers.map(({ id }) => id)).toEqual([next.id, school.teacher.id]);
  });

  test('the only teacher of a class who becomes a teaching assistant leaves it without a teacher, and the next one is the first', async () => {
    const school = await app.build.school();
    await setRole(school, school.teacher, 'teaching_assistant');
    expect(await classOf(school)).toMatchObject({
      manager_id: null,
      teachers: [],
      assistants: [{ id: school.teacher.id }],
    });
    const next = await app.build.staff(school, 'teacher');
    await addTeacher(school, next);
    expect(await classOf(school)).toMatchObject({ manager_id: next.id, assistants: [{ id: school.teacher.id }] });
  });

  test.each(['business_manager', 'data_protection_officer'] as const)(
    'someone who becomes a %s leaves their classes, and can be given none',
    async (role) => {
      const school = await app.build.school();
      await setRole(school, school.teacher, role);
      expect(await classOf(school)).toMatchObject({ manager_id: null, teachers: [], assistants: [] });
      for (const call of [classCalls.addClassTeacher, classCalls.assignTeacher])
        expect(
          await app.call(call, {
            token: school.admin.token,
            params: { id: school.id, groupId: school.ownClass.id, userId: school.teacher.id },
          }),
        ).toMatchObject({
          status: 404,
          error: { error: expect.stringContaining('Change their role first.') as string },
        });
      expect(await classOf(school)).toMatchObject({ manager_id: null, teachers: [] });
    },
  );

  test('a teaching assistant who is assigned to a class does not replace its teacher', async () => {
    const school = await app.build.school();
    const assistant = await app.build.staff(school, 'teaching_assistant');
    const params = { id: school.id, groupId: school.ownClass.id, userId: assistant.id };
    expect((await app.call(classCalls.assignTeacher, { token: school.admin.token, params })).status).toBe(200);
    expect(await classOf(school)).toMatchObject({ manager_id: school.teacher.id, assistants: [{ id: assistant.id }] });
    expect((await app.call(classCalls.removeClassTeacher, { token: school.admin.token, params })).status).toBe(200);
    expect((await classOf(school)).assistants).toEqual([]);
  });

  test('a class never has a person without classes, when the role and the class change at once', async () => {
    const school = await app.build.school();
    for (let round = 0; round < 5; round += 1) {
      const person = await app.build.staff(school, 'teacher');
      await Promise.all([addTeacher(school, person), setRole(school, person, 'business_manager')]);
      expect((await classOf(school)).teachers.map(({ id }) => id)).not.toContain(person.id);
    }
  });

  test('a deleted class is restored without someone whose role no longer has classes', async () => {
    const school = await app.build.school();
    const further = await app.build.staff(school, 'teacher');
    await addTeacher(school, further);
    const params = { id: school.id, groupId: school.ownClass.id };
    await app.call(classCalls.removeClass, { token: school.admin.token, params });
    for (const person of [school.teacher, further]) await setRole(school, person, 'business_manager');
    expect((await app.call(deletedClassCalls.restoreClass, { token: school.admin.token, params })).status).toBe(200);
    expect(await classOf(school)).toMatchObject({ manager_id: null, teachers: [], assistants: [] });
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
