import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { type ImportRowInput, pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { runCalls } from '#contract/calls/runs.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';
import { transferFile } from '../../../testing/oneroster.ts';
import { carryOutRetention } from '../../privacy/retention/retention.public.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };
let adaId: number;

const NOW = '2026-11-18T12:00:00.000Z';
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
  adaId = school.ownClass.pupils[0]?.id ?? 0;
});

const at = () => ({ params: { id: school.id } });
const forRun = (runId: number | null, who = admin) => ({ params: { id: school.id, runId: runId ?? 0 }, ...who });
const forPupil = (pupilId: number) => ({ params: { id: school.id, readerId: pupilId }, ...admin });
const send = (rows: ImportRowInput[], more: object = {}, who = admin) =>
  app.call(pupilImportCalls.createPupils, { ...at(), body: { readers: rows, ...more }, ...who });
/** Adds a list and returns its run. */
async function add(rows: ImportRowInput[], more: object = {}, who = admin): Promise<number | null> {
  const { status, reply } = await send(rows, more, who);
  expect(status).toBe(200);
  return reply.run_id;
}
const show = async (runId: number | null, who = admin) => (await app.call(runCalls.getRun, forRun(runId, who))).reply;
const undo = (runId: number | null, who = admin) => app.call(runCalls.undoRun, forRun(runId, who));
const listRuns = async (who = admin, query: { kind?: 'list' } = {}) =>
  (await app.call(runCalls.listRuns, { ...at(), query, ...who })).reply.runs;
const findPupil = (name: string) =>
  app.database.kysely
    .selectFrom('pupils')
    .select(['id', 'class_id', 'archived_at', 'year_group'])
    .where('school_id', '=', school.id)
    .where('name', '=', name)
    .executeTakeFirst();
const idOf = async (name: string) => (await findPupil(name))?.id ?? 0;
const classNames = async () =>
  (
    await app.database.kysely
      .selectFrom('classes')
      .select('name')
      .where('school_id', '=', school.id)
      .orderBy('name')
      .execute()
  ).map(({ name }) => name);
const rename = (pupilId: number, name: string) =>
  app.call(pupilCalls.renamePupil, { ...forPupil(pupilId), body: { name } });
const archive = (ids: number[]) =>
  app.call(archiveCalls.archivePupils, { ...at(), ...admin, body: { reader_ids: ids } });
/** Continues at a later time, when earlier sessions have ended. */
async function continueAt(time: string): Promise<void> {
  app.setTime(time);
  const logIn = async ({ email }: Person) =>
    (await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } })).reply.meta;
  admin = { token: (await logIn(school.admin)).token };
}

const LIST: ImportRowInput[] = [
  { name: 'Grace Hopper', class: 'Herons' },
  { name: 'Tom Price', class: 'Herons', year_group: '4' },
];

test('undoing a list archives its pupils, deletes its class, and gives a moved pupil the former class and year group', async () => {
  const before = await findPupil('Ada Baker');
  const { reply } = await send(
    [...LIST, { name: 'Ada Baker', class: 'Herons', year_group: '6', move_to_class: true }],
    {
      title: 'Year 4.xlsx',
    },
  );
  expect(await listRuns()).toEqual([
    {
      id: reply.run_id,
      kind: 'list',
      origin: null,
      title: 'Year 4.xlsx',
      state: 'applied',
      created_at: NOW,
      created_by: { id: school.admin.id, name: 'Morgan Admin' },
      closed_at: NOW,
      closed_by: { id: school.admin.id, name: 'Morgan Admin' },
      is_automatic: false,
      counts: { joiners: 2, returners: 0, movers: 1, names: 0, year_groups: 1, leavers: 0, classes: 1 },
      undo_until: '2026-12-18T12:00:00.000Z',
    },
  ]);
  expect((await show(reply.run_id)).undo).toEqual({
    archived: 2,
    restored: 0,
    moved: 1,
    renamed: 0,
    year_groups: 1,
    classes_deleted: 1,
    classes_restored: 0,
    classes_changed: 0,
    skipped: [],
  });
  const undone = await undo(reply.run_id);
  expect(undone.reply).toMatchObject({ run: { state: 'undone', undo_until: null }, skipped: [] });
  expect(await findPupil('Grace Hopper')).toMatchObject({ archived_at: new Date(NOW) });
  expect(await findPupil('Tom Price')).toMatchObject({ archived_at: new Date(NOW) });
  expect(await findPupil('Ada Baker')).toEqual(before);
  expect(await classNames()).toEqual(['Year 3 Wrens', 'Year 5 Swifts']);
  expect((await show(reply.run_id)).undo).toBe(null);
});

test('undoing a list archives again a pupil whom it restored, unless they have read since', async () => {
  await app.build.reading(school, adaId, [{ started_at: '2026-11-17T12:00:00.000Z' }]);
  const finnId = school.otherClass.pupils[0]?.id ?? 0;
  await archive([adaId, finnId]);
  const runId = await add([
    { name: 'Ada Baker', class: 'Year 3 Wrens', move_to_class: true },
    { name: school.otherClass.pupils[0]?.name ?? '', class: 'Year 3 Wrens', move_to_class: true },
  ]);
  expect(await findPupil('Ada Baker')).toMatchObject({ archived_at: null });
  app.setTime('2026-11-19T12:00:00.000Z');
  await app.build.reading(school, finnId, [{}]);
  expect((await undo(runId)).reply.skipped).toMatchObject([{ pupil: finnId, reason: 'has_read' }]);
  expect(await findPupil('Ada Baker')).toMatchObject({ archived_at: new Date('2026-11-19T12:00:00.000Z') });
});

describe('undoing a list skips', () => {
  test('new pupils who were renamed, moved or archived since, or have read, and the class that they are in', async () => {
    const names = ['Grace Hopper', 'Tom Price', 'Ivy Lane', 'Max Reed', 'Lou Park'];
    const runId = await add(names.map((name) => ({ name, class: 'Herons' })));
    await rename(await idOf('Grace Hopper'), 'Gracie Hopper');
    await app.build.move(school, await idOf('Tom Price'), school.otherClass.id);
    await archive([await idOf('Ivy Lane')]);
    await app.build.reading(school, await idOf('Max Reed'), [{}]);
    const skipped = [
      { pupil: await idOf('Gracie Hopper'), name: 'Gracie Hopper', reason: 'changed' },
      { pupil: await idOf('Tom Price'), name: 'Tom Price', reason: 'changed' },
      { pupil: await idOf('Ivy Lane'), name: 'Ivy Lane', reason: 'changed' },
      { pupil: await idOf('Max Reed'), name: 'Max Reed', reason: 'has_read' },
      { pupil: null, name: 'Herons', reason: 'class_used' },
    ];
    expect((await show(runId)).undo).toMatchObject({ archived: 1, classes_deleted: 0, skipped });
    expect((await undo(runId)).reply.skipped).toEqual(skipped);
    expect(await findPupil('Lou Park')).toMatchObject({ archived_at: new Date(NOW) });
    expect(await findPupil('Gracie Hopper')).toMatchObject({ archived_at: null });
    expect(await classNames()).toContain('Herons');
  });

  test('a new class that has books, another pupil or another teacher since', async () => {
    const runId = await add(
      ['Herons', 'Larks', 'Owls', 'Terns'].map((name) => ({ name: `Pupil of ${name}`, class: name })),
    );
    const idOfClass = async (name: string) => (await findPupil(`Pupil of ${name}`))?.class_id ?? 0;
    await app.build.assign(school, { classId: await idOfClass('Herons') }, [101]);
    await app.build.move(school, adaId, await idOfClass('Larks'));
    const params = { id: school.id, groupId: await idOfClass('Owls'), userId: school.teacher.id };
    expect((await app.call(classCalls.addClassTeacher, { params, ...admin })).status).toBe(200);
    expect((await undo(runId)).reply.skipped).toEqual(
      ['Herons', 'Larks', 'Owls'].map((name) => ({ pupil: null, name, reason: 'class_used' })),
    );
    expect(await classNames()).toEqual(['Herons', 'Larks', 'Owls', 'Year 3 Wrens', 'Year 5 Swifts']);
  });

  test('a moved pupil who changed class again, and not one who was renamed, whose new name stays', async () => {
    const [zoe] = school.ownClass.pupils.slice(1);
    const runId = await add(
      ['Ada Baker', zoe?.name ?? ''].map((name) => ({ name, class: 'Year 5 Swifts', move_to_class: true })),
    );
    await rename(adaId, 'Adelaide Baker');
    await app.build.move(school, zoe?.id ?? 0, null);
    expect((await undo(runId)).reply.skipped).toMatchObject([{ pupil: zoe?.id, reason: 'changed' }]);
    expect(await findPupil('Adelaide Baker')).toMatchObject({ class_id: school.ownClass.id });
  });

  test('a moved pupil whose former class has been deleted', async () => {
    const runId = await add([{ name: 'Ada Baker', class: 'Year 5 Swifts', move_to_class: true }]);
    const params = { id: school.id, groupId: school.ownClass.id };
    expect((await app.call(classCalls.removeClass, { params, ...admin })).status).toBe(200);
    expect((await undo(runId)).reply.skipped).toMatchObject([{ pupil: adaId, reason: 'class_deleted' }]);
    expect(await findPupil('Ada Baker')).toMatchObject({ class_id: school.otherClass.id });
  });

  test('a year group that was corrected since', async () => {
    const runId = await add([{ name: 'Ada Baker', year_group: '6' }]);
    const body = { name: 'Ada Baker', year_group: '5' as const };
    expect((await app.call(pupilCalls.renamePupil, { ...forPupil(adaId), body })).status).toBe(200);
    expect((await undo(runId)).reply.skipped).toMatchObject([{ pupil: adaId, reason: 'changed' }]);
    expect(await findPupil('Ada Baker')).toMatchObject({ year_group: '5' });
  });

  test('a new pupil whom school records have kept up to date since', async () => {
    const runId = await add([{ name: 'Grace Hopper' }]);
    const id = await idOf('Grace Hopper');
    const file = {
      name: 'transfer.xml',
      content: transferFile([{ upn: 'B801200005001', forename: 'Grace', surname: 'Hopper' }]),
    };
    const planned = await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(), ...admin, file });
    const ofRun = forRun(planned.reply.run_id);
    const { version, plan } = (await app.call(schoolRecordsCalls.getSchoolRecordsRun, ofRun)).reply;
    const merges = plan?.questions.map(({ source_id }) => ({ source_id, pupil: id })) ?? [];
    const body = { version: version ?? '', merges, is_confirmed: true };
    expect((await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...ofRun, body })).status).toBe(200);
    expect((await undo(runId)).reply.skipped).toEqual([{ pupil: id, name: 'Grace Hopper', reason: 'changed' }]);
    expect(await findPupil('Grace Hopper')).toMatchObject({ archived_at: null });
  });
});

test('an erased pupil stays erased when the list is undone, and takes the name of the file with them', async () => {
  const runId = await add(LIST, { title: 'Grace Hopper.csv' });
  const id = await idOf('Grace Hopper');
  await archive([id]);
  expect((await app.call(archiveCalls.erasePupil, forPupil(id))).status).toBe(200);
  expect((await show(runId)).run.title).toBe(null);
  const rows = await app.database.kysely.selectFrom('run_rows').select('content').where('run_id', '=', runId).execute();
  expect(JSON.stringify(rows)).not.toContain('Grace');
  expect((await undo(runId)).reply.skipped).toEqual([]);
  expect(await findPupil('Grace Hopper')).toBeUndefined();
  expect(await classNames()).toEqual(['Year 3 Wrens', 'Year 5 Swifts']);
});

test('a list is undone once when two people undo it at the same time', async () => {
  const runId = await add(LIST);
  const statuses = (await Promise.all([undo(runId), undo(runId)])).map(({ status }) => status);
  expect(statuses.toSorted()).toEqual([200, 404]);
  expect((await undo(runId)).status).toBe(404);
});

test('a list sent twice under one Idempotency-Key is one run', async () => {
  const sendOnce = () =>
    app.call(pupilImportCalls.createPupils, {
      ...at(),
      ...admin,
      body: { readers: LIST },
      headers: { 'idempotency-key': 'this-list-only-once' },
    });
  const [first, second] = [await sendOnce(), await sendOnce()];
  expect(second.reply.run_id).toBe(first.reply.run_id);
  expect(await listRuns()).toHaveLength(1);
});

test('a list that changes nothing is no run', async () => {
  expect(await add([{ name: 'Ada Baker', class: 'Year 3 Wrens' }])).toBe(null);
  expect(await listRuns()).toEqual([]);
});

test('pupils of the school added to a class together with a list go back with it', async () => {
  const params = { id: school.id, groupId: school.ownClass.id };
  const list = { existing: [school.unplaced.id], new: [{ name: 'Grace Hopper' }] };
  const added = await app.call(pupilImportCalls.addPupilsToClass, { params, ...admin, body: { readers: list } });
  expect(added.reply.meta).toMatchObject({ created: 1, moved: 1 });
  expect((await undo(added.reply.run_id)).reply.skipped).toEqual([]);
  expect(await findPupil(school.unplaced.name)).toMatchObject({ class_id: null });
  const alone = { readers: { existing: [school.unplaced.id] } };
  const moved = await app.call(pupilImportCalls.addPupilsToClass, { params, ...admin, body: alone });
  expect(moved.reply).toMatchObject({ run_id: null, meta: { moved: 1 } });
});

test('a list can be undone for 30 days, after which what it changed is deleted', async () => {
  const runId = await add(LIST, { title: 'Year 4.xlsx' });
  await continueAt('2026-12-18T11:59:59.000Z');
  await carryOutRetention(app.services);
  expect((await show(runId)).undo).toMatchObject({ archived: 2, classes_deleted: 1 });
  await continueAt('2026-12-18T12:00:00.000Z');
  expect((await undo(runId)).status).toBe(404);
  expect(await show(runId)).toMatchObject({ run: { title: 'Year 4.xlsx', undo_until: null }, undo: null });
  await carryOutRetention(app.services);
  expect(await show(runId)).toMatchObject({ run: { title: null, counts: { joiners: 2 } } });
  const rows = await app.database.kysely.selectFrom('run_rows').select('run_id').where('run_id', '=', runId).execute();
  expect(rows).toEqual([]);
});

describe('who undoes a list', () => {
  test('a teacher sees and undoes lists of their own, and admins every list', async () => {
    const own = await add([{ name: 'Grace Hopper', class: 'Herons' }], {}, teacher);
    const other = await add([{ name: 'Tom Price' }]);
    expect((await listRuns(teacher)).map(({ id }) => id)).toEqual([own]);
    expect((await listRuns(admin, { kind: 'list' })).map(({ id }) => id)).toEqual([other, own]);
    expect((await app.call(runCalls.getRun, forRun(other, teacher))).status).toBe(404);
    expect((await undo(other, teacher)).status).toBe(404);
    const colleague = { token: (await app.build.staff(school, 'teacher')).token };
    expect((await undo(own, colleague)).status).toBe(404);
    // The class of the list is the teacher's own, and deleted with it.
    expect((await undo(own, teacher)).reply).toMatchObject({ run: { state: 'undone' }, skipped: [] });
    expect(await classNames()).toEqual(['Year 3 Wrens', 'Year 5 Swifts']);
    expect((await undo(other)).status).toBe(200);
  });

  test('a teacher does not see school records', async () => {
    const content = transferFile([{ upn: 'B801200005001', forename: 'Grace', surname: 'Hopper' }]);
    const planned = await app.call(schoolRecordsCalls.planSchoolRecords, {
      ...at(),
      ...admin,
      file: { name: 'transfer.xml', content },
    });
    expect((await app.call(runCalls.getRun, forRun(planned.reply.run_id, teacher))).status).toBe(404);
    expect(await listRuns(teacher)).toEqual([]);
  });

  test('a teacher leaves pupils alone who are in a class of others by now, and an admin does not', async () => {
    const runId = await add([{ name: 'Grace Hopper', class: 'Year 3 Wrens' }, { name: 'Tom Price' }], {}, teacher);
    const params = { id: school.id, groupId: school.ownClass.id, userId: school.teacher.id };
    expect((await app.call(classCalls.removeClassTeacher, { params, ...admin })).status).toBe(200);
    const skipped = [{ pupil: await idOf('Grace Hopper'), name: 'Grace Hopper', reason: 'not_managed' }];
    expect((await show(runId, teacher)).undo).toMatchObject({ archived: 1, skipped });
    expect((await show(runId)).undo).toMatchObject({ archived: 2, skipped: [] });
    expect((await undo(runId, teacher)).reply.skipped).toEqual(skipped);
    expect(await findPupil('Grace Hopper')).toMatchObject({ archived_at: null });
  });

  test('a list of another school is not found', async () => {
    const runId = await add(LIST);
    const stranger = await app.build.school();
    const call = { params: { id: stranger.id, runId: runId ?? 0 }, token: stranger.admin.token };
    expect((await app.call(runCalls.undoRun, call)).status).toBe(404);
  });
});
