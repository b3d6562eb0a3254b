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
