import { runCalls } from '#contract/calls/runs.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { type YearEndRecords, type YearEndStep, yearEndCalls } from '#contract/calls/year-end.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { type BundleContent, oneRosterBundle } from '../../../testing/oneroster.ts';

const app = testApp();
let school: BuiltSchool;

const at = () => ({ params: { id: school.id }, token: school.admin.token });
const forRun = (runId: number) => ({ params: { id: school.id, runId }, token: school.admin.token });

const pupil = (given: string, classId: string, grade: string) => ({
  id: given.toLowerCase(),
  given,
  family: 'Quill',
  classes: [classId],
  grade,
});
const CLASSES = [
  { id: 'k4', title: '4W' },
  { id: 'k5', title: '5W' },
  { id: 'k6', title: '6W' },
];
const LAST_YEAR: BundleContent = {
  pupils: [
    ...['Ada', 'Bo', 'Cy', 'Di'].map((name) => pupil(name, 'k4', '4')),
    ...['Ed', 'Flo', 'Gus'].map((name) => pupil(name, 'k5', '5')),
    ...['Hal', 'Ida'].map((name) => pupil(name, 'k6', '6')),
  ],
  classes: CLASSES,
};
/** Di skips a class, Gus repeats one, Hal and Ida have left, Jo joins, and Kit when there is a new 4W. */
const nextYear = (joinersOf4W: readonly string[] = []): BundleContent => ({
  pupils: [
    ...joinersOf4W.map((name) => pupil(name, 'k4', '4')),
    ...['Ada', 'Bo', 'Cy', 'Gus', 'Jo'].map((name) => pupil(name, 'k5', '5')),
    ...['Di', 'Ed', 'Flo'].map((name) => pupil(name, 'k6', '6')),
  ],
  classes: CLASSES,
  staff: [{ id: 's', given: 'Sam', family: 'Reed', email: 'sam@oak.example' }],
});

const planRecords = async (content: BundleContent) =>
  (
    await app.call(schoolRecordsCalls.planSchoolRecords, {
      ...at(),
      file: { name: 'bundle.zip', content: oneRosterBundle(content) },
    })
  ).reply.run_id ?? 0;
const readRun = async (runId: number) => (await app.call(schoolRecordsCalls.getSchoolRecordsRun, forRun(runId))).reply;
/** Applies planned records, and archives their leavers with `isLeaving`. */
const applyRecords = async (runId: number, isLeaving = false) => {
  const { version, plan } = await readRun(runId);
  const leavers = isLeaving ? (plan?.leavers.flatMap(({ pupil: id }) => id ?? []) ?? []) : [];
  const body = { version: version ?? '', leavers, is_confirmed: true };
  expect((await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...forRun(runId), body })).status).toBe(200);
};
const readYearEnd = async () => (await app.call(yearEndCalls.getYearEnd, at())).reply;
const readPlanned = async () => {
  const { records } = await readYearEnd();
  if (records?.state !== 'planned') throw new Error('There are no planned records.');
  return records;
};
const undo = (runId: number) => app.call(runCalls.undoRun, forRun(runId));

/** Classes by ID with the pupils of `Quill`, and those in the archive. */
const listSchool = async () => {
  const classes = await app.database.kysely
    .selectFrom('classes')
    .select(['id', 'name'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute();
  const pupils = await app.database.kysely
    .selectFrom('pupils')
    .select(['name', 'class_id', 'archived_at'])
    .where('school_id', '=', school.id)
    .where('name', 'like', '% Quill')
    .orderBy('name')
    .execute();
  const namesOf = (classId: number | null) =>
    pupils
      .filter(({ class_id: id, archived_at: archivedAt }) => id === classId && (id !== null || archivedAt !== null))
      .map(({ name }) => name.split(' ')[0])
      .join(' ');
  return {
    classes: new Map(classes.slice(2).map(({ id, name }) => [name, { id, pupils: namesOf(id) }])),
    archive: namesOf(null),
  };
};
const classId = async (name: string) => (await listSchool()).classes.get(name)?.id ?? 0;

/** The steps that the records propose. */
const toSteps = (classes: Extract<YearEndRecords, { state: 'planned' }>['classes'], names: Map<number, string>) =>
  classes.flatMap(({ group_id: id, step, name }): YearEndStep[] => {
    const from = names.get(id) ?? '';
    if (step === 'leaves') return [{ step, group_id: id, from }];
    return step === 'moves_up' && name !== null ? [{ step, group_id: id, from, name, manager_id: null }] : [];
  });
/** Applies the year end that the records propose. Returns the ID of its run. */
const applyProposal = async () => {
  const names = new Map([...(await listSchool()).classes].map(([name, { id }]) => [id, name]));
  const steps = toSteps((await readPlanned()).classes, names);
  const { status, reply } = await app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes: steps } });
  expect(status).toBe(200);
  return reply.year_end.id;
};

beforeEach(async () => {
  app.setTime('2026-07-15T12:00:00.000Z');
  school = await app.build.school({ maxPupils: 40 });
  await applyRecords(await planRecords(LAST_YEAR));
  app.setTime('2026-07-20T12:00:00.000Z');
});

test('the year end proposes a step for each class of planned records, with what they would change', async () => {
  expect(await readYearEnd()).toEqual({ year_end: null, records: null });
  const runId = await planRecords(nextYear(['Kit']));
  expect(await readYearEnd()).toEqual({
    year_end: null,
    records: {
      state: 'planned',
      run_id: runId,
      recognised: 7,
      joiners: 2,
      returners: 0,
      movers: 6,
      leavers: 2,
      questions: 0,
      staff: 1,
      classes: [
        { group_id: await classId('4W'), step: 'moves_up', name: '5W', pupils: 3 },
        { group_id: await classId('5W'), step: 'moves_up', name: '6W', pupils: 2 },
        { group_id: await classId('6W'), step: 'leaves', name: null, pupils: 2 },
      ],
    },
  });
});

test('a pupil who returns with planned records is not counted as recognised', async () => {
  const pupils = LAST_YEAR.pupils.filter(({ given }) => given !== 'Di');
  await applyRecords(await planRecords({ ...LAST_YEAR, pupils }), true);
  await planRecords(LAST_YEAR);
  expect(await readPlanned()).toMatchObject({ recognised: 8, returners: 1, joiners: 0 });
});

test('after the proposed year end the same records only add joiners, with their class, and move single pupils', async () => {
  const runId = await planRecords(nextYear(['Kit']));
  const before = await listSchool();
  const yearEndId = await applyProposal();
  expect(await readPlanned()).toMatchObject({ run_id: runId, joiners: 2, movers: 2, leavers: 0 });
  const { plan } = await readRun(runId);
  expect(plan).toMatchObject({
    classes: [{ name: '4W', from: null }],
    joiners: [{ name: 'Kit Quill' }, { name: 'Jo Quill' }],
    movers: [
      { name: 'Gus Quill', from: '6W', class: '5W' },
      { name: 'Di Quill', from: '5W', class: '6W' },
    ],
    differences: [],
  });
  await applyRecords(runId);
  const { classes, archive } = await listSchool();
  expect([...classes].map(([name, { pupils }]) => [name, pupils])).toEqual([
    ['5W', 'Ada Bo Cy Gus Jo'],
    ['6W', 'Di Ed Flo'],
    ['4W', 'Kit'],
  ]);
  expect([classes.get('5W')?.id, classes.get('6W')?.id]).toEqual([
    before.classes.get('4W')?.id,
    before.classes.get('5W')?.id,
  ]);
  expect(archive).toBe('Hal Ida');
  expect((await readYearEnd()).records).toMatchObject({
    state: 'applied',
    run_id: runId,
    counts: { joiners: 2, movers: 2, leavers: 0, classes: 1 },
  });
  // The records follow the classes when they are read again.
  const again = (await readRun(await planRecords(nextYear(['Kit'])))).plan;
  expect(again).toMatchObject({ joiners: [], movers: [], leavers: [], classes: [], differences: [] });
  // The name 4W is taken by the class of the joiners.
  expect((await undo(yearEndId)).error.error).toBe(
    'Two classes would be called 4W. First undo the list or school records that added one of them, or choose another name for it.',
  );
  expect((await undo(runId)).reply.skipped).toEqual([]);
  expect((await undo(yearEndId)).reply.skipped).toEqual([]);
  expect((await listSchool()).classes).toEqual(before.classes);
});

test.each([
  ['the year end first', true],
  ['the records first', false],
] as const)('a year end and records applied after it are undone one by one: %s', async (_case, isYearEndFirst) => {
  const before = await listSchool();
  const runId = await planRecords(nextYear());
  const yearEndId = await applyProposal();
  const between = await listSchool();
  await applyRecords(runId);
  const [first, second] = isYearEndFirst ? [yearEndId, runId] : [runId, yearEndId];
  expect((await undo(first)).reply.skipped).toEqual([]);
  const halfway = await listSchool();
  if (isYearEndFirst) {
    expect([...halfway.classes].map(([name, { pupils }]) => [name, pupils])).toEqual([
      ['4W', 'Ada Bo Cy Gus Jo'],
      ['5W', 'Di Ed Flo'],
      ['6W', 'Hal Ida'],
    ]);
    expect((await readYearEnd()).records).toBe(null);
  } else {
    expect(halfway).toEqual({ ...between, archive: 'Hal Ida Jo' });
    expect((await readYearEnd()).records).toBe(null);
  }
  expect((await undo(second)).reply.skipped).toEqual([]);
  expect(await listSchool()).toEqual({ ...before, archive: 'Jo' });
  // The records propose the same year end again.
  await planRecords(nextYear());
  expect((await readPlanned()).classes.map(({ step, name }) => [step, name])).toEqual([
    ['moves_up', '5W'],
    ['moves_up', '6W'],
    ['leaves', null],
  ]);
});

test('undoing a year end leaves a class that the records renamed since, and undoing those a pupil moved since', async () => {
  const runId = await planRecords(nextYear());
  const yearEndId = await applyProposal();
  await applyRecords(runId);
  const { pupils, classes } = nextYear();
  const renamedId = await planRecords({
    pupils: pupils.map((row) => (row.id === 'gus' ? { ...row, classes: ['k6'] } : row)),
    classes: classes?.map((row) => (row.id === 'k6' ? { ...row, title: 'Owls' } : row)) ?? [],
  });
  await applyRecords(renamedId);
  expect((await readYearEnd()).records).toMatchObject({ state: 'applied', run_id: runId });
  expect((await undo(yearEndId)).reply.skipped).toEqual([{ pupil: null, name: 'Owls', reason: 'changed' }]);
  expect((await undo(runId)).reply.skipped).toMatchObject([{ name: 'Gus Quill', reason: 'changed' }]);
});

test('only an admin sees the records of a year end, and only those of the school that are neither undone nor older', async () => {
  const otherSchool = await app.build.school({ maxPupils: 40 });
  await planRecords(nextYear());
  const ofOtherSchool = await app.call(yearEndCalls.getYearEnd, {
    params: { id: otherSchool.id },
    token: otherSchool.admin.token,
  });
  expect(ofOtherSchool.reply).toEqual({ year_end: null, records: null });
  expect((await app.call(yearEndCalls.getYearEnd, { ...at(), token: school.teacher.token })).status).toBe(403);
  expect((await app.call(yearEndCalls.getYearEnd, { ...at(), token: otherSchool.admin.token })).status).toBe(404);
  await applyProposal();
  const { run_id: runId } = await readPlanned();
  await app.call(schoolRecordsCalls.discardSchoolRecordsRun, forRun(runId));
  // The records of the year before were applied before the year end.
  expect((await readYearEnd()).records).toBe(null);
});

test('records that were planned 30 days ago propose nothing', async () => {
  await planRecords(nextYear());
  await app.database.kysely
    .updateTable('runs')
    .set({ created_at: new Date('2026-06-20T12:00:00.000Z') })
    .where('school_id', '=', school.id)
    .where('state', '=', 'planned')
    .execute();
  expect((await readYearEnd()).records).toBe(null);
});
