import { classCalls } from '#contract/calls/classes.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
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

const ownClass = () => ({ id: school.id, groupId: school.ownClass.id });
const otherClass = () => ({ id: school.id, groupId: school.otherClass.id });

describe('classes', () => {
  test('a class lists its pupils by name and states whether the user can change it', async () => {
    const seen = await app.call(classCalls.getClass, { params: ownClass(), ...teacher });
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
    const foreign = await app.call(classCalls.getClass, { params: otherClass(), ...teacher });
    expect(foreign.reply.group).toMatchObject({ user_manages: false, manager: null });
    expect(foreign.reply.group.readers.every(({ can_update }) => !can_update)).toBe(true);
  });

  test('a class gets the teacher who creates it as its first, and no teacher from an admin, unless they choose one', async () => {
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
  ])('rejects a class with the name %j', async (name, text) => {
    const { status, error } = await app.call(classCalls.createClass, {
      params: { id: school.id },
      body: { name: name as string },
      ...admin,
    });
    expect({ status, errors: error.errors }).toEqual({ status: 422, errors: { name: [text] } });
  });

  test('a class has a unique name in the school, regardless of case and accents and with concurrent requests', async () => {
    const create = (name: string) =>
      app.call(classCalls.createClass, { params: { id: school.id }, body: { name }, ...admin });
    expect((await create(' YEAR 3  Wréns ')).error).toMatchObject({
      error_type: 'validation',
      errors: { name: [expect.stringContaining('Choose another')] },
    });
    const answers = await Promise.all(Array.from({ length: 5 }, () => create('Jays')));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });

  test('a class is renamed by its teachers and admins, but not to the name of another class', async () => {
    const rename = (params: ReturnType<typeof ownClass>, name: string, who: { token: string }) =>
      app.call(classCalls.renameClass, { params, body: { name }, ...who });
    expect((await rename(ownClass(), ' Year 3  Ospreys ', teacher)).reply.group.name).toBe('Year 3 Ospreys');
    expect((await rename(ownClass(), 'Year 3 ospreys', teacher)).status).toBe(200);
    expect((await rename(ownClass(), 'Year 5 Swifts', teacher)).status).toBe(422);
    const rejected = await rename(otherClass(), 'Mine now', teacher);
    expect({ status: rejected.status, type: rejected.error.error_type }).toEqual({ status: 409, type: 'conflict' });
    expect((await rename(otherClass(), 'Year 5 Kites', admin)).status).toBe(200);
  });

  test('a deleted class leaves its pupils in the school, and cannot be deleted twice', async () => {
    const pupil = school.ownClass.pupils[0];
    expect((await app.call(classCalls.removeClass, { params: otherClass(), ...teacher })).status).toBe(409);
    const both = await Promise.all([
      app.call(classCalls.removeClass, { params: ownClass(), ...teacher }),
      app.call(classCalls.removeClass, { params: ownClass(), ...admin }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 404]);
    const seen = await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupil?.id ?? 0 }, ...admin });
    expect(seen.reply.reader).toMatchObject({ name: 'Ada Baker', group: null });
    expect(
      (await app.call(classCalls.renameClass, { params: ownClass(), body: { name: 'Ghosts' }, ...admin })).status,
    ).toBe(404);
  });

  test('a class accepts only teachers of its school, and can lose them again', async () => {
    const { otherSchool } = await app.build.twoSchools();
    const assign = (userId: number, who = admin) =>
      app.call(classCalls.assignTeacher, { params: { ...otherClass(), userId }, ...who });
    expect((await assign(otherSchool.teacher.id)).status).toBe(404);
    expect((await assign(school.teacher.id, teacher)).status).toBe(409);
    expect((await assign(school.teacher.id)).status).toBe(200);
    const managed = async () => (await app.call(classCalls.getClass, { params: otherClass(), ...teacher })).reply.group;
    expect(await managed()).toMatchObject({ manager: { id: school.teacher.id }, user_manages: true });
    expect((await app.call(classCalls.removeTeacherFromClass, { params: otherClass(), ...teacher })).status).toBe(200);
    expect(await managed()).toMatchObject({ manager: null, user_manages: false });
    expect((await app.call(classCalls.removeTeacherFromClass, { params: otherClass(), ...teacher })).status).toBe(409);
  });

  test('each change of a class is in the audit log once', async () => {
    await app.call(classCalls.renameClass, { params: ownClass(), body: { name: 'Year 3 Herons' }, ...teacher });
    await app.call(classCalls.renameClass, { params: ownClass(), body: { name: 'Year 3 Herons' }, ...teacher });
    await app.call(classCalls.removeClass, { params: ownClass(), ...admin });
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
});
