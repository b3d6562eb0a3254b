import { adminRequestCalls } from '#contract/calls/admin-requests.ts';
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

test('a request to appoint an admin keeps no text about an admin who deletes their account, and ends with an email', async () => {
  const { id, admin, teacher } = school;
  const deputy = await app.build.staff(school, 'admin');
  const at = { params: { id }, token: teacher.token };
  const body = { former_admin_ids: [admin.id, deputy.id], new_admin_id: teacher.id, note: 'Quaglino left in July' };
  expect((await app.call(adminRequestCalls.requestAdmin, { ...at, body })).status).toBe(200);
  const stored = app.database.kysely.selectFrom('admin_requests').where('school_id', '=', id);
  await app.database.kysely
    .updateTable('admin_requests')
    .set({ checked_by: admin.id, checked_at: new Date(), check_note: 'Rang Quaglino' })
    .where('school_id', '=', id)
    .execute();
  expect((await erase(deputy)).status).toBe(200);
  expect(await stored.select(['note', 'check_note']).execute()).toEqual([{ note: null, check_note: '' }]);
  await app.runJobs({ scheduled: true });
  expect(await stored.select('id').execute()).toEqual([]);
  expect(
    app.mails.filter(({ subject }) => subject.includes('will not be an admin')).map(({ recipient }) => recipient),
  ).toContain(teacher.email);
});

test('a person’s own account ends at each of their schools', async () => {
  const other = await app.build.school();
  await app.build.join(school.teacher, other, 'teacher');
  expect((await erase(school.teacher)).status).toBe(200);
  const left = app.database.kysely.selectFrom('users').select('id').where('id', '=', school.teacher.id);
  expect(await left.execute()).toEqual([]);
});

test('the only admin of another school does not delete their account, and stays at both', async () => {
  const other = await app.build.emptySchool();
  await app.build.join(school.teacher, other, 'admin');
  const { admin } = other;
  await app.database.kysely.updateTable('staff').set({ role: 'teacher' }).where('user_id', '=', admin.id).execute();
  const { status, error } = await erase(school.teacher);
  expect([status, error.code, error.error]).toEqual([
    409,
    'last_admin',
    `You are the only admin of ${other.name}. Switch to that school, and make a colleague an admin there first.`,
  ]);
  const schools = app.database.kysely.selectFrom('user_schools').select('school_id');
  expect(await schools.where('user_id', '=', school.teacher.id).execute()).toHaveLength(2);
});
