import { classCalls } from '#contract/calls/classes.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { beforeAll, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
beforeAll(async () => {
  school = await app.build.school({ ownPupils: ['Ada Baker', 'Tom Price'], otherPupils: ['Ada Stone'] });
  await app.build.school({ ownPupils: ['Ada Foreign'] });
});

const listLogins = async (token: string, query: { search?: string; per_page?: string } = {}) => {
  const { reply } = await app.call(pupilCalls.listPupilLogins, { params: { id: school.id }, query, token });
  return { names: reply.readers.map(({ name }) => name), meta: reply.meta };
};

test('a teacher’s list of logins has the pupils of their classes and those without a class', async () => {
  const { names, meta } = await listLogins(school.teacher.token);
  expect(names).toEqual(['Ada Baker', school.unplaced.name, 'Tom Price']);
  expect(meta).toMatchObject({ total_filtered: 3 });
});

test('a teacher’s list of logins without a class has only the pupils without a class, and one class later also its pupils', async () => {
  const newcomer = await app.build.staff(school, 'teacher');
  expect(await listLogins(newcomer.token)).toMatchObject({
    names: [school.unplaced.name],
    meta: { total_filtered: 1 },
  });
  expect((await listLogins(newcomer.token, { search: 'ada' })).names).toEqual([]);
  const classTeacher = { id: school.id, groupId: school.otherClass.id, userId: newcomer.id };
  await app.call(classCalls.addClassTeacher, { params: classTeacher, token: school.admin.token });
  expect((await listLogins(newcomer.token)).names).toEqual(['Ada Stone', school.unplaced.name]);
  await app.call(classCalls.removeClassTeacher, { params: classTeacher, token: school.admin.token });
  expect((await listLogins(newcomer.token)).names).toEqual([school.unplaced.name]);
});

test('an admin’s list of logins has every pupil of the school and none of another school', async () => {
  const { names } = await listLogins(school.admin.token);
  expect(names).toEqual(['Ada Baker', 'Ada Stone', school.unplaced.name, 'Tom Price']);
});

test('a pupil in a list of logins has a name, username and class, and no reading data', async () => {
  const { reply } = await app.call(pupilCalls.listPupilLogins, {
    params: { id: school.id },
    query: { search: 'baker' },
    token: school.teacher.token,
  });
  const [login] = reply.readers;
  expect(Object.keys(login ?? {}).sort()).toEqual(['can_update', 'group', 'id', 'name', 'username']);
  expect(login).toMatchObject({ name: 'Ada Baker', username: school.ownClass.pupils[0]?.username, can_update: true });
});
