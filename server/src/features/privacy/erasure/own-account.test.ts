import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool, Person } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  school = await app.build.school();
  app.mails.length = 0;
});
const erase = ({ token, email }: Person, confirmation = email) =>
  app.call(privacyCalls.eraseOwnAccount, { params: { id: school.id }, token, body: { confirmation } });
const listErasures = async () =>
  (await app.call(privacyCalls.listErasures, { params: { id: school.id }, query: {}, token: school.admin.token })).reply
    .erasures;

test('a teacher’s own account is erased at once with a receipt, and an email confirms it', async () => {
  const { teacher } = school;
  await app.database.kysely.updateTable('users').set({ last_name: 'Quaglino' }).where('id', '=', teacher.id).execute();
  expect((await erase(teacher)).status).toBe(200);
  await app.runJobs();
  expect(app.mails.map(({ recipient, kind }) => [recipient, kind])).toEqual([[teacher.email, 'account_erased']]);
  const rows = (await dumpDatabase(app.database)).split('\n');
  expect(rows.filter((row) => row.includes('Quaglino') || row.includes(teacher.email))).toEqual([]);
  const at = { params: { id: school.id }, query: {}, token: teacher.token };
  expect((await app.call(schoolCalls.getSchool, at)).status).toBe(401);
  expect(await listErasures()).toMatchObject([{ kind: 'staff' }]);
  const { reply } = await app.call(schoolCalls.getSchool, { ...at, token: school.admin.token });
  expect(reply.enterprise.groups.find(({ id }) => id === school.ownClass.id)?.teachers).toEqual([]);
});

test('deleting your own account needs your address as confirmation and a recent proof', async () => {
  expect((await erase(school.teacher, 'someone@else.example')).status).toBe(422);
  await app.database.kysely.updateTable('sessions').set({ proved_at: null }).execute();
  expect((await erase(school.teacher)).error.code).toBe('proof_required');
  expect(await listErasures()).toEqual([]);
});

test('the last admin cannot delete their account, and of two who do it at once one stays', async () => {
  expect((await erase(school.admin)).error.code).toBe('last_admin');
  const second = await app.build.staff(school, 'admin');
  const answers = await Promise.all([erase(school.admin), erase(second)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
});
