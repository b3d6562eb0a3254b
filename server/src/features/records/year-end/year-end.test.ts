import { runCalls } from '#contract/calls/runs.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { deletedClassCalls } from '#contract/calls/deleted-classes.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { type YearEndStep, yearEndCalls } from '#contract/calls/year-end.ts';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let top: { id: number; pupils: { id: number; username: string }[] };

const NOW = '2026-11-18T12:00:00.000Z';
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  admin = { token: school.admin.token };
  const id = await app.build.newClass(school, 'Year 6 Owls', school.teacher.id);
  top = { id, pupils: await app.build.pupils(school, id, ['Olu Adeyemi', 'Tess Quill']) };
  await app.build.assign(school, { classId: id }, [101, 102]);
});

const at = () => ({ params: { id: school.id }, ...admin });
const up = (id: number, from: string, name: string, managerId: number | null = null): YearEndStep => ({
  step: 'moves_up',
  group_id: id,
  from,
  name,
  manager_id: managerId,
});
/** Year 3 becomes 5, 5 becomes 6 and 6 leaves: new names are those of other classes now. */
const plan = (): YearEndStep[] => [
  up(school.ownClass.id, 'Year 3 Wrens', 'Year 5 Swifts', school.admin.id),
  up(school.otherClass.id, 'Year 5 Swifts', 'Year 6 Owls', school.teacher.id),
  { step: 'leaves', group_id: top.id, from: 'Year 6 Owls' },
];
const applyYearEnd = (classes: YearEndStep[], who = admin) =>
  app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes }, ...who });
const undo = (id: number) => app.call(runCalls.undoRun, { params: { id: school.id, runId: id }, ...admin });
/** The names, teachers, pupils and books of all classes. */
const classes = async () => {
  const { enterprise: whole } = (await app.call(schoolCalls.getSchool, { ...at(), query: { include: 'readers' } }))
    .reply;
  return whole.groups.map(({ id, name, manager_id, assigned_book_count }) => ({
    id,
    name,
    manager_id,
    books: assigned_book_count,
    pupils: whole.readers?.filter((pupil) => pupil.group?.id === id).map((pupil) => pupil.name),
  }));
};

test('classes move up with new names and teachers and leavers are archived; undoing restores everything', async () => {
  const before = await classes();
  const { reply } = await applyYearEnd(plan());
  expect(reply.year_end).toEqual({
    id: reply.year_end.id,
    applied_at: NOW,
    applied_by: { id: school.admin.id, name: 'Morgan Admin' },
    undo_until: '2026-12-18T12:00:00.000Z',
    moved_classes: 2,
    left_pupils: 2,
  });
  expect(await classes()).toEqual([
    {
      id: school.ownClass.id,
      name: 'Year 5 Swifts',
      manager_id: school.admin.id,
      books: 0,
      pupils: ['Ada Baker', 'Zoë Łukasik'],
    },
    { id: school.otherClass.id, name: 'Year 6 Owls', manager_id: school.teacher.id, books: 0, pupils: ["Finn O'Hara"] },
  ]);
  const leaver = top.pupils[0];
  const logIn = () =>
    app.call(readingAppCalls.logInPupil, { body: { username: leaver?.username ?? '', password: PASSWORD } });
  expect((await logIn()).error.code).toBe('archived');

  expect((await undo(reply.year_end.id)).status).toBe(200);
  expect(await classes()).toEqual(before);
  expect((await logIn()).status).toBe(200);
  expect((await undo(reply.year_end.id)).status).toBe(404);
  expect((await app.call(yearEndCalls.getYearEnd, at())).reply.year_end).toBe(null);
});

test('further teachers stay with their class, and return with it when the year end is undone', async () => {
  const further = (await app.build.staff(school, 'teacher')).id;
  const add = (classId: number, userId: number) =>
    app.call(classCalls.addClassTeacher, { params: { id: school.id, groupId: classId, userId }, ...admin });
  for (const id of [school.ownClass.id, top.id]) await add(id, further);
  await add(school.ownClass.id, school.admin.id);
  const teachers = async () => {
    const { enterprise: whole } = (await app.call(schoolCalls.getSchool, { ...at(), query: {} })).reply;
    return Object.fromEntries(
      whole.groups.map((schoolClass) => [schoolClass.id, schoolClass.teachers.map(({ id }) => id)]),
    );
  };
  const before = await teachers();
  // An admin who was a further teacher becomes the first; a class with further teachers loses its first one.
  const { reply } = await applyYearEnd([
    ...plan().filter(({ group_id: id }) => id !== school.otherClass.id),
    up(school.otherClass.id, 'Year 5 Swifts', 'Year 4'),
  ]);
  expect(await teachers()).toEqual({ [school.ownClass.id]: [school.admin.id, further], [school.otherClass.id]: [] });
  expect((await undo(reply.year_end.id)).status).toBe(200);
  const after = await teachers();
  expect({ ...after, [school.ownClass.id]: after[school.ownClass.id]?.toSorted() }).toEqual({
    ...before,
    [school.ownClass.id]: before[school.ownClass.id]?.toSorted(),
  });
  expect([after[school.ownClass.id]?.[0], before[school.ownClass.id]?.length]).toEqual([school.teacher.id, 3]);

  const again = await applyYearEnd([up(school.ownClass.id, 'Year 3 Wrens', 'Year 4 Wrens', null)]);
  expect((await teachers())[school.ownClass.id]?.length).toBe(2);
  await app.call(teacherCalls.removeTeacher, { params: { id: school.id, userId: further }, ...admin });
  expect((await undo(again.reply.year_end.id)).status).toBe(200);
  expect((await teachers())[school.ownClass.id]).toEqual([school.teacher.id, school.admin.id]);
});

test('one of two concurrent year ends is applied, and another only after the first is undone', async () => {
  const answers = await Promise.all([applyYearEnd(plan()), applyYearEnd(plan())]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await applyYearEnd([up(school.ownClass.id, 'Year 5 Swifts', 'Year 6 Jays')])).error.code).toBe(
    'year_end_applied',
  );
  expect(await classes()).toHaveLength(2);
});

test('a year end changes nothing when a class was renamed or deleted, or two would have the same name', async () => {
  const before = await classes();
  const tries: [YearEndStep[], number, string][] = [
    [
      [...plan().slice(0, 2), { step: 'leaves', group_id: top.id, from: 'Year 6 Jays' }],
      409,
      'Year 6 Jays is now called Year 6 Owls, because a colleague renamed it. Nothing has changed. Reload the page.',
    ],
    [[...plan(), up(999_999, 'Gone', 'Here')], 404, 'We could not find this class in your school.'],
    [
      [up(school.ownClass.id, 'Year 3 Wrens', 'year 5 SWIFTS')],
      422,
      'Two classes would be called Year 5 Swifts. Choose another name for one of them.',
    ],
    [
      [up(school.ownClass.id, 'Year 3 Wrens', 'Year 4', 999_999)],
      404,
      'We could not find this member of staff in your school.',
    ],
  ];
  for (const [steps, status, text] of tries) {
    const answer = await applyYearEnd(steps);
    expect([answer.status, answer.error.error]).toEqual([status, text]);
  }
  const otherSchool = await app.build.school();
  expect((await applyYearEnd([up(otherSchool.ownClass.id, otherSchool.ownClass.name, 'Taken over')])).status).toBe(404);
  expect((await applyYearEnd(plan(), { token: school.teacher.token })).status).toBe(403);
  expect((await applyYearEnd([...plan(), ...plan()])).status).toBe(422);
  expect(await classes()).toEqual(before);
});

test('undoing a year end skips pupils added or erased since, and classes deleted since', async () => {
  const { reply } = await applyYearEnd(plan());
  const [added] = await app.build.pupils(school, school.ownClass.id, ['New Comer']);
  await app.call(classCalls.removeClass, { params: { id: school.id, groupId: school.otherClass.id }, ...admin });
  await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: top.pupils[1]?.id ?? 0 }, ...admin });
  expect((await undo(reply.year_end.id)).status).toBe(200);
  expect(await classes()).toEqual([
    {
      id: school.ownClass.id,
      name: 'Year 3 Wrens',
      manager_id: school.teacher.id,
      books: 0,
      pupils: ['Ada Baker', added?.name, 'Zoë Łukasik'],
    },
    { id: top.id, name: 'Year 6 Owls', manager_id: school.teacher.id, books: 2, pupils: ['Olu Adeyemi'] },
  ]);
});

test('a year end is not undone when a former name is taken, places are missing, or after 30 days', async () => {
  const { reply } = await applyYearEnd([{ step: 'leaves', group_id: top.id, from: 'Year 6 Owls' }]);
  const taken = await app.build.newClass(school, 'Year 6 owls');
  expect((await undo(reply.year_end.id)).error.error).toBe(
    'Two classes would be called Year 6 Owls. First undo the list or school records that added one of them, or choose another name for it.',
  );
  await app.call(classCalls.removeClass, { params: { id: school.id, groupId: taken }, ...admin });
  const places = (max: number) =>
    app.database.kysely
      .updateTable('subscriptions')
      .set({ max_readers: max })
      .where('school_id', '=', school.id)
      .execute();
  await places(5);
  expect((await undo(reply.year_end.id)).error.code).toBe('max-readers-reached:admin:1');
  await places(120);
  // A session expires when it has not been used for 30 days.
  app.setTime('2026-12-10T12:00:00.000Z');
  expect((await app.call(yearEndCalls.getYearEnd, at())).reply.year_end?.id).toBe(reply.year_end.id);
  app.setTime('2026-12-18T11:59:59.000Z');
  await carryOutRetention(app.services);
  const rows = () =>
    app.database.kysely.selectFrom('run_rows').select('run_id').where('school_id', '=', school.id).execute();
  expect(await rows()).toHaveLength(3);
  app.setTime('2026-12-18T12:00:00.000Z');
  expect((await undo(reply.year_end.id)).status).toBe(404);
  await carryOutRetention(app.services);
  expect(await rows()).toEqual([]);
});

test('undoing a year end returns no class to a teacher who has left the school', async () => {
  const { reply } = await applyYearEnd(plan());
  const left = await app.call(teacherCalls.removeTeacher, {
    params: { id: school.id, userId: school.teacher.id },
    ...admin,
  });
  expect(left.status).toBe(200);
  expect((await undo(reply.year_end.id)).status).toBe(200);
  const managers = new Map((await classes()).map(({ id, manager_id }) => [id, manager_id]));
  expect([managers.get(school.ownClass.id), managers.get(top.id)]).toEqual([null, null]);
});

test('undoing a year end keeps what was changed since, and names it with the reason', async () => {
  const { reply } = await applyYearEnd(plan());
  const of = (classId: number) => ({ params: { id: school.id, groupId: classId }, ...admin });
  await app.call(classCalls.renameClass, { ...of(school.otherClass.id), body: { name: 'Year 6 Jays' } });
  const colleague = await app.build.staff(school, 'teacher');
  const params = { id: school.id, groupId: school.ownClass.id, userId: colleague.id };
  await app.call(classCalls.addClassTeacher, { params, ...admin });
  const undone = await undo(reply.year_end.id);
  expect(undone.reply.skipped).toEqual([
    { pupil: null, name: 'Year 5 Swifts', reason: 'changed' },
    { pupil: null, name: 'Year 6 Jays', reason: 'changed' },
  ]);
  expect((await classes()).map(({ name, manager_id }) => [name, manager_id])).toEqual([
    ['Year 3 Wrens', school.admin.id],
    ['Year 6 Jays', null],
    ['Year 6 Owls', school.teacher.id],
  ]);
});

test('a class that leaves with a year end is among the deleted classes, and its link to school records returns', async () => {
  await sql`insert into school_records_sources (school_id, id, kind, created_at)
    values (${school.id}, 1, 'oneroster', ${NOW})`.execute(app.database.kysely);
  await sql`insert into school_records_classes (school_id, source_id, external_id, class_id, name)
    values (${school.id}, 1, 'k6', ${top.id}, 'Year 6 Owls')`.execute(app.database.kysely);
  const links = () =>
    app.database.kysely
      .selectFrom('school_records_classes')
      .select('class_id')
      .where('school_id', '=', school.id)
      .execute();
  const { reply } = await applyYearEnd(plan());
  expect((await app.call(deletedClassCalls.listDeletedClasses, at())).reply.groups).toMatchObject([{ id: top.id }]);
  expect(await links()).toEqual([]);
  expect(
    (await app.call(runCalls.getRun, { params: { id: school.id, runId: reply.year_end.id }, ...admin })).reply.undo,
  ).toEqual({
    archived: 0,
    restored: 2,
    moved: 0,
    renamed: 0,
    year_groups: 0,
    classes_deleted: 0,
    classes_restored: 1,
    classes_changed: 2,
    skipped: [],
  });
  expect((await undo(reply.year_end.id)).reply.skipped).toEqual([]);
  expect(await links()).toEqual([{ class_id: top.id }]);
  expect((await app.call(deletedClassCalls.listDeletedClasses, at())).reply.groups).toEqual([]);
});

test('a teacher cannot undo a year end', async () => {
  const { reply } = await applyYearEnd(plan());
  const call = { params: { id: school.id, runId: reply.year_end.id }, token: school.teacher.token };
  expect((await app.call(runCalls.undoRun, call)).status).toBe(404);
});
