import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { type ImportRowInput, pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { runCalls } from '#contract/calls/runs.ts';
import { type SchoolRecordsAnswers, schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { type YearEndStep, yearEndCalls } from '#contract/calls/year-end.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { type BundleContent, oneRosterBundle } from '../../../testing/oneroster.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };
let adaId: number;

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school({ maxPupils: 40 });
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
  adaId = school.ownClass.pupils[0]?.id ?? 0;
});

const at = (who = admin) => ({ params: { id: school.id }, ...who });
const forRun = (runId: number, who = admin) => ({ params: { id: school.id, runId }, ...who });
const forPupil = (pupilId: number) => ({ params: { id: school.id, readerId: pupilId }, ...admin });
const forClass = (classId: number) => ({ params: { id: school.id, groupId: classId }, ...admin });

/** Adds a list and returns its run. */
async function add(rows: ImportRowInput[], who = admin): Promise<number> {
  const { status, reply } = await app.call(pupilImportCalls.createPupils, { ...at(who), body: { readers: rows } });
  expect(status).toBe(200);
  return reply.run_id ?? 0;
}
async function plan(content: BundleContent, who = admin): Promise<number> {
  const file = { name: 'bundle.zip', content: oneRosterBundle(content) };
  return (await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(who), file })).reply.run_id ?? 0;
}
/** Uploads a file of school records and applies its plan. Returns its run. */
async function applyFile(
  content: BundleContent,
  answers: Partial<SchoolRecordsAnswers> = {},
  who = admin,
): Promise<number> {
  const runId = await plan(content, who);
  const ofRun = forRun(runId, who);
  const { version } = (await app.call(schoolRecordsCalls.getSchoolRecordsRun, ofRun)).reply;
  const body = { version: version ?? '', is_confirmed: true, ...answers };
  expect((await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...ofRun, body })).status).toBe(200);
  return runId;
}
const changesOf = async (runId: number, who = admin) => {
  const { status, reply } = await app.call(runCalls.getRun, forRun(runId, who));
  expect(status).toBe(200);
  return reply.changes;
};
const archive = (...ids: number[]) => app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: ids } });
const findId = async (table: 'pupils' | 'classes', name: string): Promise<number> => {
  const row = await app.database.kysely
    .selectFrom(table)
    .select('id')
    .where('school_id', '=', school.id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.id;
};

const WRENS = { id: 'k1', title: 'Wrens 3' };
const OWLS = { id: 'k2', title: 'Owls 4' };
const ada = { id: 'a', given: 'Ada', family: 'Bell', classes: ['k1'] };
const tom = { id: 't', given: 'Tom', family: 'Price', classes: ['k2'] };
const zed = { id: 'z', given: 'Zed', family: 'Ford', classes: ['k1'] };
const NOTHING = {
  joiners: [],
  returners: [],
  leavers: [],
  movers: [],
  names: [],
  year_groups: [],
  recognised: [],
  classes: [],
};

describe('what a run changed', () => {
  test('a file of school records lists each pupil who joined, came back, left, or has another class, name or year group, and its classes', async () => {
    await applyFile({ pupils: [ada, tom, zed], classes: [WRENS, OWLS] });
    const [adaBell, tomPrice, zedFord] = [
      await findId('pupils', 'Ada Bell'),
      await findId('pupils', 'Tom Price'),
      await findId('pupils', 'Zed Ford'),
    ];
    const left = await applyFile({ pupils: [ada, tom], classes: [WRENS, OWLS] }, { leavers: [zedFord] });
    const wrens = { id: await findId('classes', 'Wrens 3'), name: 'Robins 3' };
    const owls = { id: await findId('classes', 'Owls 4'), name: 'Owls 4' };
    const runId = await applyFile(
      {
        pupils: [
          { ...ada, given: 'Adele', classes: ['k2'], grade: '04' },
          zed,
          { id: 'g', given: 'Grace', family: 'Hill', classes: ['k3'] },
          { id: 'b', given: 'Ben', family: 'Hill' },
        ],
        classes: [{ ...WRENS, title: 'Robins 3' }, OWLS, { id: 'k3', title: 'Herons' }],
      },
      { leavers: [tomPrice] },
    );
    const herons = { id: await findId('classes', 'Herons'), name: 'Herons' };
    const adele = { id: adaBell, name: 'Adele Bell', is_archived: false };
    expect(await changesOf(runId)).toEqual({
      joiners: [
        { id: await findId('pupils', 'Ben Hill'), name: 'Ben Hill', is_archived: false, class: null },
        { id: await findId('pupils', 'Grace Hill'), name: 'Grace Hill', is_archived: false, class: herons },
      ],
      returners: [{ id: zedFord, name: 'Zed Ford', is_archived: false, class: wrens }],
      leavers: [{ id: tomPrice, name: 'Tom Price', is_archived: true, class: owls }],
      movers: [{ ...adele, from: wrens, to: owls }],
      names: [{ ...adele, from: 'Ada Bell', to: 'Adele Bell' }],
      year_groups: [{ ...adele, from: '3', to: '4' }],
      recognised: [],
      classes: [
        { id: wrens.id, from: 'Wrens 3', to: 'Robins 3' },
        { id: herons.id, from: null, to: 'Herons' },
      ],
    });
    // The run before keeps its own changes.
    expect(await changesOf(left)).toEqual({
      ...NOTHING,
      leavers: [{ id: zedFord, name: 'Zed Ford', is_archived: false, class: wrens }],
    });
  });

  test('a run lists a pupil as recognised when only their link to school records is new, and else by their changes', async () => {
    const [, zoe] = school.ownClass.pupils;
    const otters = { id: await app.build.newClass(school, 'Otters', school.teacher.id), name: 'Otters' };
    const runId = await applyFile({
      pupils: [
        { id: 'a', given: 'Ada', family: 'Baker', classes: ['k1'], grade: '' },
        { id: 'z', given: 'Zoë', family: 'Łukasik', classes: ['k2'], grade: '' },
      ],
      classes: [
        { id: 'k1', title: school.ownClass.name },
        { id: 'k2', title: otters.name },
      ],
    });
    const { id, name } = school.ownClass;
    const moved = { from: { id, name }, to: otters };
    expect(await changesOf(runId)).toEqual({
      ...NOTHING,
      recognised: [{ id: adaId, name: 'Ada Baker', is_archived: false }],
      movers: [{ id: zoe?.id, name: 'Zoë Łukasik', is_archived: false, ...moved }],
    });
  });

  test('a run does not list a pupil whom the school restored before the records had them again', async () => {
    await applyFile({ pupils: [ada, tom], classes: [WRENS, OWLS] });
    const id = await findId('pupils', 'Tom Price');
    await applyFile({ pupils: [ada], classes: [WRENS] }, { leavers: [id] });
    await app.call(archiveCalls.restorePupils, { ...at(), body: { reader_ids: [id] } });
    const runId = await applyFile({ pupils: [ada, tom, zed], classes: [WRENS, OWLS] });
    const wrens = { id: await findId('classes', 'Wrens 3'), name: 'Wrens 3' };
    expect(await changesOf(runId)).toEqual({
      ...NOTHING,
      joiners: [{ id: await findId('pupils', 'Zed Ford'), name: 'Zed Ford', is_archived: false, class: wrens }],
    });
  });

  test('a year end lists its leavers with their deleted class, and the classes that have another name', async () => {
    const top = await app.build.newClass(school, 'Year 6 Owls', school.teacher.id);
    const [leaver] = await app.build.pupils(school, top, ['Olu Adeyemi']);
    const [wrens, swifts] = [school.ownClass.id, school.otherClass.id];
    const manager = school.admin.id;
    const classes: YearEndStep[] = [
      { step: 'moves_up', group_id: wrens, from: 'Year 3 Wrens', name: 'Year 4 Wrens', manager_id: null },
      { step: 'moves_up', group_id: swifts, from: 'Year 5 Swifts', name: 'Year 5 Swifts', manager_id: manager },
      { step: 'leaves', group_id: top, from: 'Year 6 Owls' },
    ];
    const { reply } = await app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes } });
    expect(await changesOf(reply.year_end.id)).toMatchObject({
      leavers: [{ id: leaver?.id, is_archived: true, class: { id: top, name: 'Year 6 Owls' } }],
      classes: [
        { id: wrens, from: 'Year 3 Wrens', to: 'Year 4 Wrens' },
        { id: top, from: 'Year 6 Owls', to: null },
      ],
    });
  });

  test('a run lists pupils and classes by their current names, a deleted class by the stored one if there is one, and no erased pupil', async () => {
    const runId = await add([
      { name: 'Grace Hopper', class: 'Herons' },
      { name: 'Ivy Lane', class: 'Larks' },
      { name: 'Tom Price', class: 'Larks' },
      { name: 'Ada Baker', class: 'Larks', move_to_class: true },
    ]);
    const [grace, ivy, tomPrice] = [
      await findId('pupils', 'Grace Hopper'),
      await findId('pupils', 'Ivy Lane'),
      await findId('pupils', 'Tom Price'),
    ];
    const [herons, larks] = [await findId('classes', 'Herons'), await findId('classes', 'Larks')];
    await app.call(pupilCalls.renamePupil, { ...forPupil(grace), body: { name: 'Gracie Hopper' } });
    await app.call(classCalls.renameClass, { ...forClass(larks), body: { name: 'Skylarks' } });
    for (const id of [herons, school.ownClass.id]) await app.call(classCalls.removeClass, forClass(id));
    await archive(ivy, tomPrice);
    expect((await app.call(archiveCalls.erasePupil, forPupil(tomPrice))).status).toBe(200);
    const skylarks = { id: larks, name: 'Skylarks' };
    expect(await changesOf(runId)).toMatchObject({
      joiners: [
        { id: grace, name: 'Gracie Hopper', is_archived: false, class: { id: herons, name: 'Herons' } },
        { id: ivy, name: 'Ivy Lane', is_archived: true, class: skylarks },
      ],
      movers: [{ id: adaId, name: 'Ada Baker', from: { id: school.ownClass.id, name: null }, to: skylarks }],
    });
  });

  test('a run lists no changes while it is planned, after its undo, and after 30 days', async () => {
    const planned = await plan({ pupils: [ada], classes: [WRENS] });
    expect(await changesOf(planned)).toBe(null);
    const [undone, expired] = [await add([{ name: 'Grace Hopper' }]), await add([{ name: 'Ivy Lane' }])];
    expect((await changesOf(undone))?.joiners).toHaveLength(1);
    expect((await app.call(runCalls.undoRun, forRun(undone))).status).toBe(200);
    expect(await changesOf(undone)).toBe(null);
    app.setTime('2026-12-18T12:00:00.000Z');
    const body = { email: school.admin.email, password: PASSWORD };
    const { token } = (await app.call(accessCalls.logIn, { body })).reply.meta;
    expect(await changesOf(expired, { token })).toBe(null);
  });
});

describe('the list of pupils filtered by a run', () => {
  const namesOf = async (run: number, who = admin, filters: object = {}) => {
    const { reply } = await app.call(pupilCalls.listPupils, { ...at(who), query: { run: String(run), ...filters } });
    return reply.readers.map(({ name }) => name);
  };

  test('the list of pupils filtered by a run has those whom it added and who are still in the school', async () => {
    await add([{ name: 'Ben Hill' }]);
    const runId = await add([
      { name: 'Grace Hopper', class: 'Herons' },
      { name: 'Ivy Lane' },
      { name: 'Tom Price' },
      { name: 'Ada Baker', class: 'Herons', move_to_class: true },
    ]);
    await archive(await findId('pupils', 'Tom Price'));
    expect(await namesOf(runId)).toEqual(['Grace Hopper', 'Ivy Lane']);
    expect(await namesOf(runId, admin, { groups: 'none' })).toEqual(['Ivy Lane']);
    expect((await app.call(runCalls.undoRun, forRun(runId))).status).toBe(200);
    expect(await namesOf(runId)).toEqual([]);
  });

  test('the list of pupils filtered by a run shows a teacher those of their own lists, and an admin those of every run', async () => {
    const own = await add([{ name: 'Grace Hopper' }], teacher);
    const colleagues = await add([{ name: 'Ivy Lane' }]);
    const formerAdmin = await app.build.staff(school, 'admin');
    const records = await applyFile({ pupils: [ada], classes: [WRENS] }, {}, formerAdmin);
    await app.database.kysely
      .updateTable('staff')
      .set({ role: 'teacher' })
      .where('user_id', '=', formerAdmin.id)
      .execute();
    expect((await changesOf(own, teacher))?.joiners).toMatchObject([{ name: 'Grace Hopper' }]);
    expect(await namesOf(own, teacher)).toEqual(['Grace Hopper']);
    for (const run of [colleagues, records]) expect(await namesOf(run, teacher)).toEqual([]);
    for (const run of [own, records]) expect(await namesOf(run, formerAdmin)).toEqual([]);
    expect([await namesOf(own), await namesOf(colleagues), await namesOf(records)]).toEqual([
      ['Grace Hopper'],
      ['Ivy Lane'],
      ['Ada Bell'],
    ]);
  });

  test('another school finds neither a run nor the pupils whom it added', async () => {
    const runId = await add([{ name: 'Grace Hopper' }]);
    const stranger = await app.build.school();
    const { token } = stranger.admin;
    const found = await app.call(runCalls.getRun, { params: { id: stranger.id, runId }, token });
    expect(found.status).toBe(404);
    const query = { run: String(runId) };
    const { reply } = await app.call(pupilCalls.listPupils, { params: { id: stranger.id }, query, token });
    expect(reply.readers).toEqual([]);
  });
});
