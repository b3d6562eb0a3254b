import { runCalls } from '#contract/calls/runs.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { schoolRecordsCalls, type SchoolRecordsAnswers } from '#contract/calls/school-records.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { type BundleContent, oneRosterBundle } from '../../../testing/oneroster.ts';

const app = testApp();
let school: BuiltSchool;
beforeEach(async () => {
  school = await app.build.school({ maxPupils: 40 });
});

const WRENS = { id: 'k1', title: 'Wrens 3' };
const OWLS = { id: 'k2', title: 'Owls 4' };
const CLASSES = [WRENS, OWLS];
const ada = { id: '1', given: 'Ada', family: 'Bell', classes: ['k1'], birth: '2018-03-04' };
const tom = { id: 't', given: 'Tom', family: 'Price', classes: ['k2'], birth: '2017-03-04' };
const zed = { id: '1', given: 'Zed', family: 'Ford', classes: ['k1'], birth: '2018-09-30' };

const at = () => ({ params: { id: school.id }, token: school.admin.token });
const forRun = (runId: number) => ({ params: { id: school.id, runId }, token: school.admin.token });
/** Uploads a file of school records and applies its plan. Returns the ID of its run. */
async function applyFile(content: BundleContent, answers: Partial<SchoolRecordsAnswers> = {}): Promise<number> {
  const file = { name: 'bundle.zip', content: oneRosterBundle(content) };
  const runId = (await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(), file })).reply.run_id ?? 0;
  const { version } = (await app.call(schoolRecordsCalls.getSchoolRecordsRun, forRun(runId))).reply;
  if (!version) throw new Error('There is no plan.');
  const body = { version, is_confirmed: true, ...answers };
  expect((await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...forRun(runId), body })).status).toBe(200);
  return runId;
}
const undo = async (runId: number) => {
  const { status, reply } = await app.call(runCalls.undoRun, forRun(runId));
  expect(status).toBe(200);
  return reply.skipped;
};

/** The names of all pupils with their external IDs and classes; those in the archive without a class. */
const describeLinks = async () => {
  const rows = await app.database.kysely
    .selectFrom('pupils as p')
    .leftJoin('school_records_pupils as l', (join) =>
      join.onRef('l.school_id', '=', 'p.school_id').onRef('l.pupil_id', '=', 'p.id'),
    )
    .select(['p.id', 'p.name', 'l.external_id'])
    .where('p.school_id', '=', school.id)
    .where('p.name', 'in', ['Ada Bell', 'Tom Price', 'Zed Ford', 'Thomas Price'])
    .orderBy('p.id')
    .execute();
  return rows.map(({ name, external_id: externalId }) => [name, externalId]);
};
const listClasses = async () => {
  const rows = await app.database.kysely
    .selectFrom('classes')
    .select(['id', 'name'])
    .where('school_id', '=', school.id)
    .orderBy('id')
    .execute();
  return rows.slice(-2);
};
const findPupil = (name: string) =>
  app.database.kysely
    .selectFrom('pupils')
    .selectAll()
    .where('school_id', '=', school.id)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();

test('undoing a run skips a pupil whose former ID belongs to another child now', async () => {
  await applyFile({ pupils: [ada, tom], classes: CLASSES });
  const { id } = await findPupil('Ada Bell');
  const moved = [
    { ...ada, id: '2' },
    { ...tom, given: 'Thomas' },
  ];
  const runId = await applyFile({ pupils: moved, classes: CLASSES }, { merges: [{ source_id: '2', pupil: id }] });
  await applyFile({ pupils: [...moved, zed], classes: CLASSES });
  expect(await undo(runId)).toEqual([{ pupil: id, name: 'Ada Bell', reason: 'id_taken' }]);
  expect(await describeLinks()).toEqual([
    ['Ada Bell', '2'],
    ['Tom Price', 't'],
    ['Zed Ford', '1'],
  ]);
});

test('undoing a run skips a pupil whose former class has been deleted', async () => {
  await applyFile({ pupils: [ada, tom], classes: CLASSES });
  const before = await findPupil('Ada Bell');
  const runId = await applyFile({ pupils: [{ ...ada, classes: ['k2'] }, tom], classes: [OWLS] });
  const { status } = await app.call(classCalls.removeClass, {
    params: { id: school.id, groupId: before.class_id ?? 0 },
    token: school.admin.token,
  });
  expect(status).toBe(200);
  expect(await undo(runId)).toEqual([{ pupil: before.id, name: 'Ada Bell', reason: 'class_deleted' }]);
  expect((await findPupil('Ada Bell')).class_id).toBe((await findPupil('Tom Price')).class_id);
});

test('undoing a run renames none of its classes when one of the former names is taken', async () => {
  await applyFile({ pupils: [ada, tom], classes: CLASSES });
  const renamed = [
    { ...WRENS, title: 'Robins' },
    { ...OWLS, title: 'Larks' },
  ];
  const runId = await applyFile({ pupils: [ada, tom], classes: renamed });
  const [robins, larks] = await listClasses();
  expect([robins?.name, larks?.name]).toEqual(['Robins', 'Larks']);
  const { status } = await app.call(classCalls.createClass, { ...at(), body: { name: 'Wrens 3' } });
  expect(status).toBe(200);
  expect(await undo(runId)).toEqual([
    { pupil: null, name: 'Robins', reason: 'name_taken' },
    { pupil: null, name: 'Larks', reason: 'name_taken' },
  ]);
});
