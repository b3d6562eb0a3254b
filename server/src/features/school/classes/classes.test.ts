import { classCalls } from '#contract/calls/classes.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };

beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
});

const own = () => ({ id: school.id, groupId: school.ownClass.id });
const others = () => ({ id: school.id, groupId: school.otherClass.id });

describe('a class', () => {
  test('lists its pupils by name and returns whether the user can change it', async () => {
    const seen = await app.call(classCalls.getClass, { params: own(), ...teacher });
    expect(seen.reply.group).toMatchObject({
      name: 'Year 3 Wrens',
      readers_count: 2,
      manager: { id: school.teacher.id },
      user_manages: true,
    });
    expect(seen.reply.group.readers.map(({ name, can_update }) => [name, can_update])).toEqual([
      ['Ada Baker', true],
      ['Zoë Łukasik', true],
    ]);
    const foreign = await app.call(classCalls.getClass, { params: others(), ...teacher });
    expect(foreign.reply.group).toMatchObject({ user_manages: false, manager: null });
    expect(foreign.reply.group.readers.every(({ can_update }) => !can_update)).toBe(true);
  });

  test('gets the teacher who creates it as its first, and no teacher from an admin, unless they choose one', async () => {
    const create = (name: string, who: { token: string }, assign_self?: boolean | 1 | '1') =>
      app.call(classCalls.createClass, {
        params: { id: school.id },
        body: { name, ...(assign_self === undefined ? {} : { assign_self }) },
        ...who,
      });
    expect((await create('Robins', teacher)).reply.group).toMatchObject({
      name: 'Robins',
      manager_id: school.teacher.id,
      user_manages: true,
    });
    expect((await create('Larks', teacher, false)).reply.group).toMatchObject({
      manager_id: null,
      user_manages: false,
    });
    expect((await create('Owls', admin)).reply.group).toMatchObject({ manager_id: null, user_manages: true });
    for (const [name, yes] of [
      ['Kites', true],
      ['Herons', 1],
      ['Egrets', '1'],
    ] as const)
      expect((await create(name, admin, yes)).reply.group.manager_id).toBe(school.admin.id);
  });

  test.each([
    ['', 'Enter a name for the class.'],
    ['   ', 'Enter a name for the class.'],
    ['x'.repeat(101), 'The name of a class has at most 100 characters.'],
    [7, 'Enter a name for the class.'],
  ])('is not created with the name %j', async (name, text) => {
    const { status, error } = await app.call(classCalls.createClass, {
      params: { id: school.id },
      body: { name: name as string },
      ...admin,
    });
    expect({ status, errors: error.errors }).toEqual({ status: 422, errors: { name: [text] } });
  });

  test('has a unique name in the school, regardless of case and accents and with concurrent requests', async () => {
    const create = (name: string) =>
      app.call(classCalls.createClass, { params: { id: school.id }, body: { name }, ...admin });
    expect((await create(' YEAR 3  Wréns ')).error).toMatchObject({
      error_type: 'validation',
      errors: { name: [expect.stringContaining('Choose another')] },
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('Jays')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });

  test('is renamed by its teachers and admins, but not to the name of another class', async () => {
    const rename = (params: ReturnType<typeof own>, name: string, who: { token: string }) =>
      app.call(classCalls.renameClass, { params, body: { name }, ...who });
    expect((await rename(own(), ' Year 3  Ospreys ', teacher)).reply.group.name).toBe('Year 3 Ospreys');
    expect((await rename(own(), 'Year 3 ospreys', teacher)).status).toBe(200);
    expect((await rename(own(), 'Year 5 Swifts', teacher)).status).toBe(422);
    const rejected = await rename(others(), 'Mine now', teacher);
    expect({ status: rejected.status, type: rejected.error.error_type }).toEqual({ status: 409, type: 'conflict' });
    expect((await rename(others(), 'Year 5 Kites', admin)).status).toBe(200);
  });

  test('leaves its pupils in the school when it is deleted, and cannot be deleted twice', async () => {
    const pupil = school.ownClass.pupils[0];
    expect((await app.call(classCalls.removeClass, { params: others(), ...teacher })).status).toBe(409);
    const both = await Promise.all([
      app.call(classCalls.removeClass, { params: own(), ...teacher }),
      app.call(classCalls.removeClass, { params: own(), ...admin }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const seen = await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupil?.id ?? 0 }, ...admin });
    expect(seen.reply.reader).toMatchObject({ name: 'Ada Baker', group: null });
    expect((await app.call(classCalls.renameClass, { params: own(), body: { name: 'Ghosts' }, ...admin })).status).toBe(
      404,
    );
  });

  test('accepts only teachers of its school, and can lose them again', async () => {
    const { otherSchool } = await app.build.twoSchools();
    const assign = (userId: number, who = admin) =>
      app.call(classCalls.assignTeacher, { params: { ...others(), userId }, ...who });
    expect((await assign(otherSchool.teacher.id)).status).toBe(404);
    expect((await assign(school.teacher.id, teacher)).status).toBe(409);
    expect((await assign(school.teacher.id)).status).toBe(200);
    const managed = async () => (await app.call(classCalls.getClass, { params: others(), ...teacher })).reply.group;
    expect(await managed()).toMatchObject({ manager: { id: school.teacher.id }, user_manages: true });
    expect((await app.call(classCalls.removeTeacherFromClass, { params: others(), ...teacher })).status).toBe(200);
    expect(await managed()).toMatchObject({ manager: null, user_manages: false });
    expect((await app.call(classCalls.removeTeacherFromClass, { params: others(), ...teacher })).status).toBe(409);
  });

  test('writes each change to the audit log once', async () => {
    await app.call(classCalls.renameClass, { params: own(), body: { name: 'Year 3 Herons' }, ...teacher });
    await app.call(classCalls.renameClass, { params: own(), body: { name: 'Year 3 Herons' }, ...teacher });
    await app.call(classCalls.removeClass, { params: own(), ...admin });
    const rows = await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_user_id', 'details'])
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      {
        action: 'class_renamed',
        actor_user_id: school.teacher.id,
        details: { from: 'Year 3 Wrens', to: 'Year 3 Herons' },
      },
      { action: 'class_deleted', actor_user_id: school.admin.id, details: { name: 'Year 3 Herons', pupils: 2 } },
    ]);
  });

  test('has its numbers of pupils and books in the list of classes', async () => {
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102, 103]);
    const { reply } = await app.call(schoolCalls.getSchool, { params: { id: school.id }, ...admin });
    expect(
      reply.enterprise.groups.map(({ name, readers_count: pupils, assigned_book_count }) => [
        name,
        pupils,
        assigned_book_count,
      ]),
    ).toEqual([
      ['Year 3 Wrens', 2, 3],
      ['Year 5 Swifts', 1, 0],
    ]);
  });
});
