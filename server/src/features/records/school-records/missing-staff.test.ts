import { accessCalls } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { runCalls } from '#contract/calls/runs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { type SchoolRecordsAnswers, schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';
import { oneRosterBundle, transferFile } from '../../../testing/oneroster.ts';

const app = testApp();
let school: BuiltSchool;

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school({ maxPupils: 40 });
});

const named = (...people: { email: string }[]) =>
  people.map(({ email }, index) => ({ id: `s${index}`, given: 'Jo', family: 'Reed', email }));
/** Someone whom the school does not have, so that the records name staff. */
const OTHER = { email: 'other@oak.example' };
const bundle = (...people: { email: string }[]) =>
  oneRosterBundle({
    pupils: [{ id: 'a', given: 'Ada', family: 'Bell', classes: ['k1'] }],
    classes: [{ id: 'k1', title: 'Wrens 3' }],
    staff: named(OTHER, ...people),
  });
const upload = async (content: Buffer | string, by: { token: string } = school.admin) => {
  const { reply } = await app.call(schoolRecordsCalls.planSchoolRecords, {
    params: { id: school.id },
    token: by.token,
    file: { name: typeof content === 'string' ? 'transfer.xml' : 'bundle.zip', content },
  });
  return reply.run_id ?? 0;
};
const view = async (runId: number, by: { token: string } = school.admin) => {
  const params = { id: school.id, runId };
  const { reply } = await app.call(schoolRecordsCalls.getSchoolRecordsRun, { params, token: by.token });
  return { version: reply.version ?? '', missing: reply.plan?.missing_staff ?? [] };
};
const applyRun = async (
  runId: number,
  answers: Partial<SchoolRecordsAnswers> = {},
  { by = school.admin, version }: { by?: { token: string }; version?: string } = {},
) =>
  app.call(schoolRecordsCalls.applySchoolRecordsRun, {
    params: { id: school.id, runId },
    token: by.token,
    body: { version: version ?? (await view(runId, by)).version, ...answers },
  });
/** Uploads records that name these people, and applies them. Returns whom the plan asked about. */
const sync = async (people: { email: string }[], answers: Partial<SchoolRecordsAnswers> = {}) => {
  const runId = await upload(bundle(...people));
  const { missing } = await view(runId);
  expect((await applyRun(runId, answers)).status).toBe(200);
  return missing.map(({ user }) => user);
};
const isMember = async ({ token }: Person) => {
  const { status, reply } = await app.call(accessCalls.getMe, { token });
  return status === 200 && reply.user.enterprise_id === school.id;
};

test('staff whom the records no longer name are a question, and stay without an answer', async () => {
  const { teacher } = school;
  expect(await sync([teacher])).toEqual([]);
  const runId = await upload(bundle());
  expect((await view(runId)).missing).toEqual([{ user: teacher.id, name: 'Morgan Teacher' }]);
  expect((await applyRun(runId)).status).toBe(200);
  expect(await isMember(teacher)).toBe(true);
  expect(await sync([])).toEqual([teacher.id]);
});

test('staff whom no applied records named are never asked about', async () => {
  await upload(bundle(school.teacher));
  expect(await sync([])).toEqual([]);
});

test('removing a member of staff ends their login and classes, is in the changes, and is not asked or undone again', async () => {
  const { teacher } = school;
  await sync([teacher]);
  const runId = await upload(bundle());
  expect((await applyRun(runId, { removed_staff: [teacher.id] })).status).toBe(200);
  expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(401);
  const ownClass = await app.database.kysely
    .selectFrom('classes')
    .select('manager_id')
    .where('school_id', '=', school.id)
    .where('id', '=', school.ownClass.id)
    .executeTakeFirst();
  expect(ownClass).toEqual({ manager_id: null });
  const { entries } = (
    await app.call(schoolCalls.listAuditLog, { params: { id: school.id }, token: school.admin.token })
  ).reply;
  expect(entries.map(({ action }) => action)).toContain('teacher_removed');
  const staffRow = () =>
    app.database.kysely
      .selectFrom('staff')
      .select(['role', 'until'])
      .where('school_id', '=', school.id)
      .where('user_id', '=', teacher.id)
      .executeTakeFirst();
  expect(await staffRow()).toEqual({ role: null, until: new Date('2026-11-18T12:00:00.000Z') });
  expect(await sync([])).toEqual([]);
  const params = { id: school.id, runId };
  await app.call(runCalls.undoRun, { params, token: school.admin.token });
  expect((await staffRow())?.role).toBeNull();
});

test('a person who is kept is asked about again only after the records named them again', async () => {
  const { teacher } = school;
  await sync([teacher]);
  expect(await sync([], { kept_staff: [teacher.id] })).toEqual([teacher.id]);
  expect(await sync([])).toEqual([]);
  expect(await sync([teacher])).toEqual([]);
  expect(await sync([])).toEqual([teacher.id]);
  expect(await isMember(teacher)).toBe(true);
});

test('no admin is asked about themselves, another admin is, and the only admin never', async () => {
  const second = await app.build.staff(school, 'admin');
  await sync([school.admin, second]);
  const runId = await upload(bundle());
  expect((await view(runId)).missing.map(({ user }) => user)).toEqual([second.id]);
  expect((await view(runId, second)).missing.map(({ user }) => user)).toEqual([school.admin.id]);
  expect((await applyRun(runId, { removed_staff: [school.admin.id] })).status).toBe(404);
  expect((await applyRun(runId, { removed_staff: [second.id] })).status).toBe(200);
  expect(await sync([])).toEqual([]);
  expect(await isMember(school.admin)).toBe(true);
});

test('two admins who remove each other at the same time leave the school one of them', async () => {
  const second = await app.build.staff(school, 'admin');
  await sync([school.admin, second]);
  const runId = await upload(bundle());
  const [one, two] = [await view(runId), await view(runId, second)];
  const replies = await Promise.all([
    applyRun(runId, { removed_staff: [second.id] }, { version: one.version }),
    applyRun(runId, { removed_staff: [school.admin.id] }, { by: second, version: two.version }),
  ]);
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  expect([await isMember(school.admin), await isMember(second)].filter(Boolean)).toHaveLength(1);
});

test('a plan is outdated when a second admin has removed the person meanwhile, or the person has left', async () => {
  const { teacher } = school;
  const second = await app.build.staff(school, 'admin');
  await sync([teacher]);
  const runId = await upload(bundle());
  const { version } = await view(runId);
  const params = { id: school.id, userId: teacher.id };
  await app.call(teacherCalls.removeTeacher, { params, token: second.token });
  expect((await applyRun(runId, { removed_staff: [teacher.id] }, { version })).status).toBe(409);
  expect((await view(runId)).missing).toEqual([]);
  expect((await applyRun(runId, { removed_staff: [teacher.id] })).status).toBe(404);
});

test('someone who left and was invited again is not asked about until records have named them since', async () => {
  const { teacher } = school;
  await sync([teacher]);
  const params = { id: school.id, userId: teacher.id };
  await app.call(teacherCalls.removeTeacher, { params, token: school.admin.token });
  app.setTime('2026-11-18T12:01:00.000Z');
  const { links = [] } = (
    await app.call(inviteCalls.sendInvites, {
      params: { id: school.id },
      token: school.admin.token,
      body: { email: [teacher.email], with_links: true },
    })
  ).reply;
  const { token } = (await app.call(accessCalls.logIn, { body: { email: teacher.email, password: PASSWORD } })).reply
    .meta;
  const inviteId = links[0]?.link.split('/').at(-1) ?? '';
  expect((await app.call(inviteCalls.acceptInvite, { params: { inviteId }, token })).status).toBe(200);
  expect(await sync([])).toEqual([]);
  app.setTime('2026-11-18T12:02:00.000Z');
  await sync([teacher]);
  expect(await sync([])).toEqual([teacher.id]);
});

test('a member of staff is either removed or kept', async () => {
  const { teacher } = school;
  await sync([teacher]);
  const runId = await upload(bundle());
  const { status, error } = await applyRun(runId, { removed_staff: [teacher.id], kept_staff: [teacher.id] });
  expect([status, error.errors]).toEqual([422, { kept_staff: ['A member of staff is either removed or kept.'] }]);
  expect(await isMember(teacher)).toBe(true);
});

test('a Common Transfer File asks about no staff, and removing the source ends the question', async () => {
  const { teacher } = school;
  await sync([teacher]);
  const transfer = await upload(transferFile([{ upn: 'B801200005001', forename: 'Ivy', surname: 'Lane' }]));
  expect((await view(transfer)).missing).toEqual([]);
  const { sources } = (
    await app.call(schoolRecordsCalls.getSchoolRecords, { params: { id: school.id }, token: school.admin.token })
  ).reply;
  const source = sources.find(({ kind }) => kind === 'oneroster');
  const params = { id: school.id, sourceId: source?.id ?? 0 };
  await app.call(schoolRecordsCalls.removeSchoolRecordsSource, { params, token: school.admin.token });
  expect(await sync([])).toEqual([]);
});
