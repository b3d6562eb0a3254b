import { runCalls } from '#contract/calls/runs.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { yearEndCalls } from '#contract/calls/year-end.ts';
import type { YearGroup } from '#contract/year-group.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { type BundleContent, oneRosterBundle } from '../../../testing/oneroster.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school({ maxPupils: 40 });
  admin = { token: school.admin.token };
});

/** Sets the time, with a new session: the first one ends before. */
const travelTo = async (time: string) => {
  app.setTime(time);
  admin = { token: (await app.build.staff(school, 'admin')).token };
};

const at = () => ({ params: { id: school.id }, ...admin });
const ofPupil = (id: number) => ({ params: { id: school.id, readerId: id }, ...admin });
const ada = () => school.ownClass.pupils[0]!;
const yearGroupOf = async (id: number) => (await app.call(pupilCalls.getPupil, ofPupil(id))).reply.reader.year_group;
const set = (id: number, yearGroup: YearGroup | null, name = 'Ada Baker') =>
  app.call(pupilCalls.renamePupil, { ...ofPupil(id), body: { name, year_group: yearGroup } });
const listed = async () => {
  const { reply } = await app.call(pupilCalls.listPupils, { ...at(), query: { per_page: '50' } });
  return Object.fromEntries(reply.readers.map((pupil) => [pupil.name, pupil.year_group]));
};
const upload = (content: string) =>
  app.call(pupilImportCalls.createPupils, { ...at(), file: { name: 'list.csv', content } });

describe('edits of a pupil', () => {
  test('an edit of a pupil sets and removes the year group, which is in the list, the class and the log', async () => {
    expect(await yearGroupOf(ada().id)).toBeNull();
    expect((await set(ada().id, '3')).reply.reader.year_group).toBe('3');
    expect(await yearGroupOf(ada().id)).toBe('3');
    expect(await listed()).toMatchObject({ 'Ada Baker': '3' });
    const ofClass = { params: { id: school.id, groupId: school.ownClass.id }, ...admin };
    expect((await app.call(classCalls.getClass, ofClass)).reply.group.readers[0]?.year_group).toBe('3');
    const { entries } = (await app.call(schoolCalls.listAuditLog, at())).reply;
    expect(entries[0]).toMatchObject({ action: 'pupil_year_group_changed', subject_id: String(ada().id), details: {} });
    expect((await set(ada().id, null)).reply.reader.year_group).toBeNull();
    expect(await yearGroupOf(ada().id)).toBeNull();
  });

  test('an edit of a pupil without a year group leaves it unchanged, and one with an unknown code is rejected', async () => {
    await set(ada().id, 'P4');
    await app.call(pupilCalls.renamePupil, { ...ofPupil(ada().id), body: { name: 'Ada Bell' } });
    expect(await yearGroupOf(ada().id)).toBe('P4');
    const body = { name: 'Ada Bell', year_group: 'Year 4' as '4' };
    expect((await app.call(pupilCalls.renamePupil, { ...ofPupil(ada().id), body })).status).toBe(422);
  });

  test('an edited year group counts for the current school year, so that the pupil moves up in September', async () => {
    await set(ada().id, '3');
    await travelTo('2027-08-31T12:00:00.000Z');
    expect(await yearGroupOf(ada().id)).toBe('3');
    await travelTo('2027-09-01T12:00:00.000Z');
    expect(await yearGroupOf(ada().id)).toBe('4');
    expect(await listed()).toMatchObject({ 'Ada Baker': '4' });
  });
});

describe('lists of pupils', () => {
  test('a list of pupils states year groups in a column or in the names of classes', async () => {
    const { reply } = await app.call(pupilImportCalls.previewPupils, {
      ...at(),
      file: { name: 'list.csv', content: 'Name,Year,Reg\nGrace Hopper,03,3W\nTom Price,4B,4B\n' },
    });
    expect(reply.rows.map((row) => row.year_group)).toEqual(['3', null]);
    await upload(
      'Name,Year,Reg\nGrace Hopper,03,3W\nTom Price,4B,4B\nZoe Lane,P4,4B\nBo Lee,N2,\nIda Moss,,Year 5 Owls\n',
    );
    expect(await listed()).toMatchObject({
      'Grace Hopper': '3',
      'Tom Price': null,
      'Zoe Lane': 'P4',
      'Bo Lee': 'N2',
      'Ida Moss': '5',
    });
  });

  test('a list of pupils with a column of year groups updates the pupils whom the school has', async () => {
    await set(ada().id, '3');
    await travelTo('2027-09-02T12:00:00.000Z');
    await upload('Name,Class\nAda Baker,Year 3 Wrens\n');
    expect(await yearGroupOf(ada().id)).toBe('4');
    // A pupil who repeats the year.
    await upload('Name,Class,Year\nAda Baker,Year 3 Wrens,3\n');
    expect(await yearGroupOf(ada().id)).toBe('3');
  });

  test('a list of pupils sent as JSON states year groups too', async () => {
    const body = { readers: [{ name: 'Grace Hopper', class: 'Year 3 Wrens', year_group: '2' as const }] };
    await app.call(pupilImportCalls.createPupils, { ...at(), body });
    expect(await listed()).toMatchObject({ 'Grace Hopper': '2' });
  });

  test('the portal’s own export contains the year groups, and another school that imports it gets them', async () => {
    await set(ada().id, 'R');
    const query = { output: 'csv' } as const;
    const { text } = await app.call(downloadCalls.exportPupils, { ...at(), query });
    expect(text).toContain('Name,Class,Year group\r\nAda Baker,Year 3 Wrens,Reception\r\n');
    const otherSchool = await app.build.emptySchool();
    const asAdmin = { params: { id: otherSchool.id }, token: otherSchool.admin.token };
    await app.call(pupilImportCalls.createPupils, { ...asAdmin, file: { name: 'pupils.csv', content: text } });
    const { reply } = await app.call(pupilCalls.listPupils, { ...asAdmin, query: { search: 'Ada' } });
    expect(reply.readers[0]?.year_group).toBe('R');
  });
});

test('a year end moves year groups up at once, and undoing it moves them down unless they were corrected since', async () => {
  await set(ada().id, '3');
  await travelTo('2027-07-10T12:00:00.000Z');
  const { id, name: from } = school.ownClass;
  const classes = [{ step: 'moves_up' as const, group_id: id, from, name: 'Year 4 Wrens', manager_id: null }];
  const { year_end: yearEnd } = (await app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes } })).reply;
  expect(await yearGroupOf(ada().id)).toBe('4');
  await app.call(runCalls.undoRun, { params: { id: school.id, runId: yearEnd.id }, ...admin });
  expect(await yearGroupOf(ada().id)).toBe('3');
  const again = await app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes } });
  // A correction after the year end counts for the coming year.
  await set(ada().id, '3');
  const params = { id: school.id, runId: again.reply.year_end.id };
  expect((await app.call(runCalls.undoRun, { params, ...admin })).reply.skipped).toMatchObject([
    { name: 'Ada Baker', reason: 'changed' },
  ]);
  await travelTo('2027-09-01T12:00:00.000Z');
  expect(await yearGroupOf(ada().id)).toBe('3');
});

describe('school records', () => {
  const CLASSES = [{ id: 'k1', title: 'Herons' }];
  const child = (grade: string) => ({ id: 'g', given: 'Grace', family: 'Hopper', classes: ['k1'], grade });
  const forRun = (runId: number) => ({ params: { id: school.id, runId }, ...admin });
  async function apply(pupils: BundleContent['pupils']): Promise<number> {
    const file = { name: 'bundle.zip', content: oneRosterBundle({ pupils, classes: CLASSES }) };
    const runId = (await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(), file })).reply.run_id ?? 0;
    const { version } = (await app.call(schoolRecordsCalls.getSchoolRecordsRun, forRun(runId))).reply;
    const body = { version: version ?? '', is_confirmed: true };
    expect((await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...forRun(runId), body })).status).toBe(200);
    return runId;
  }
  const graceId = async () =>
    (await app.call(pupilCalls.listPupils, { ...at(), query: { search: 'Grace' } })).reply.readers[0]?.id ?? 0;

  test('school records state and update year groups, and undoing a run restores the former one', async () => {
    await apply([child('03')]);
    const id = await graceId();
    expect(await yearGroupOf(id)).toBe('3');
    const runId = await apply([child('02')]);
    expect(await yearGroupOf(id)).toBe('2');
    expect((await app.call(runCalls.undoRun, forRun(runId))).status).toBe(200);
    expect(await yearGroupOf(id)).toBe('3');
  });

  test('school records leave a year group that was corrected in the portal', async () => {
    await apply([child('N2')]);
    const id = await graceId();
    expect(await yearGroupOf(id)).toBe('N2');
    await set(id, 'R', 'Grace Hopper');
    await apply([child('N1')]);
    expect(await yearGroupOf(id)).toBe('R');
  });
});

test('a year end moves the pupils of a class of Years 3 and 4 up by one each, and leaves an unknown year group', async () => {
  const { id, name: from } = school.ownClass;
  const [ben, cleo] = await app.build.pupils(school, id, ['Ben Crane', 'Cleo Diaz']);
  await set(ada().id, '3');
  await set(ben!.id, '4', 'Ben Crane');
  const classYears = async () =>
    (await app.call(classCalls.getClass, { params: { id: school.id, groupId: id }, ...admin })).reply.group.year_groups;
  expect(await classYears()).toEqual(['3', '4']);
  await travelTo('2027-07-10T12:00:00.000Z');
  const classes = [{ step: 'moves_up' as const, group_id: id, from, name: 'Wrens', manager_id: null }];
  expect((await app.call(yearEndCalls.applyYearEnd, { ...at(), body: { classes } })).status).toBe(200);
  expect(await Promise.all([ada().id, ben!.id, cleo!.id].map(yearGroupOf))).toEqual(['4', '5', null]);
  expect(await classYears()).toEqual(['4', '5']);
});
