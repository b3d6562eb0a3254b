import { archiveCalls } from '#contract/calls/archive.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
});

const UPN = 'B801200005001';
const LIST = `Forename,Surname,Reg,DOB,UPN\nGrace,Hopper,Owls,03/02/2018,${UPN}\n`;
/** The same child a year later, under another name in another class. */
const RENAMED = `Forename,Surname,Reg,DOB,UPN\nGracie,Murray,Wrens,03/02/2018,${UPN}\n`;

const at = (who = school.admin) => ({ params: { id: school.id }, token: who.token });
const fileOf = (content: string) => ({ name: 'list.csv', content });
const keep = (wish: boolean) => app.call(privacyCalls.setImportDigests, { ...at(), body: { keep: wish } });
const add = async (content: string, who = school.admin) =>
  (await app.call(pupilImportCalls.createPupils, { ...at(who), file: fileOf(content) })).reply;
const statusOf = async (content: string) =>
  (await app.call(pupilImportCalls.previewPupils, { ...at(), body: {}, file: fileOf(content) })).reply.rows[0]?.status;
const countKept = async () => {
  const rows = await app.database.kysely
    .selectFrom('pupils')
    .select(['upn_digest', 'birth_digest'])
    .where('school_id', '=', school.id)
    .execute();
  return rows.filter((row) => row.upn_digest ?? row.birth_digest).length;
};

test('a school that has not chosen so stores no digests of an import', async () => {
  await add(LIST);
  expect([await statusOf(RENAMED), await countKept()]).toEqual(['new', 0]);
  expect((await app.call(privacyCalls.getDataAndPrivacy, at())).reply.keeps_import_digests).toBe(false);
});

test('stored digests find the pupils of the next list under another name', async () => {
  await keep(true);
  await add(LIST);
  expect([await statusOf(RENAMED), await countKept()]).toEqual(['already', 1]);
  // A list with one of them does not take the other away.
  await add(`Forename,Surname,Reg,UPN\nGrace,Hopper,Owls,${UPN}\n`);
  expect(await statusOf('Forename,Surname,Reg,DOB\nGrace,Hopper,Owls,04/02/2018\n')).toBe('new');
  await add('Forename,Surname,Reg,DOB\nGrace,Hopper,Owls,03/02/2018\n');
  expect(await statusOf(`Forename,Surname,UPN\nGracie,Murray,${UPN}\n`)).toBe('already');
  expect((await app.call(privacyCalls.getDataAndPrivacy, at())).reply.keeps_import_digests).toBe(true);
});

test('each pupil of a list gets the digests of their own row', async () => {
  await keep(true);
  await add('Name,DOB\nAda Bell,01/09/2018\nTom Price,02/09/2018\n');
  expect(await countKept()).toBe(2);
  expect(await statusOf('Name,DOB\nTom Price,02/09/2018\n')).toBe('already');
  expect(await statusOf('Name,DOB\nTom Price,01/09/2018\n')).toBe('new');
});

test('an import stores digests of pupils whom the school already had, unless another teacher has them', async () => {
  const [pupil] = (await add('Forename,Surname,Reg\nGrace,Hopper,Owls\n')).readers;
  expect(pupil?.name).toBe('Grace Hopper');
  await keep(true);
  await add(LIST, school.teacher);
  expect(await countKept()).toBe(0);
  await add(LIST);
  expect([await statusOf(RENAMED), await countKept()]).toEqual(['already', 1]);
});

test('archiving a pupil deletes the digests, and restoring does not bring them back', async () => {
  await keep(true);
  const [pupil] = (await add(LIST)).readers;
  const body = { reader_ids: [pupil?.id as number] };
  await app.call(archiveCalls.archivePupils, { ...at(), body });
  expect(await countKept()).toBe(0);
  await app.call(archiveCalls.restorePupils, { ...at(), body });
  expect([await statusOf(RENAMED), await countKept()]).toEqual(['new', 0]);
});

test('turning off stored digests deletes those of this school only', async () => {
  await keep(true);
  await add(LIST);
  const otherSchool = await app.build.school();
  await app.call(privacyCalls.setImportDigests, {
    params: { id: otherSchool.id },
    body: { keep: true },
    token: otherSchool.admin.token,
  });
  await app.call(privacyCalls.setImportDigests, {
    params: { id: otherSchool.id },
    body: { keep: false },
    token: otherSchool.admin.token,
  });
  expect(await countKept()).toBe(1);
  await keep(false);
  await keep(false);
  expect([await statusOf(RENAMED), await countKept()]).toEqual(['new', 0]);
  const log = await app.call(schoolCalls.listAuditLog, { ...at(), query: { kind: 'school' } });
  expect(log.reply.entries.map(({ action }) => action).filter((action) => action.startsWith('import'))).toEqual([
    'import_digests_turned_off',
    'import_digests_turned_on',
  ]);
});

test('only admins choose whether digests are stored', async () => {
  const { status } = await app.call(privacyCalls.setImportDigests, { ...at(school.teacher), body: { keep: true } });
  expect(status).toBe(403);
});

test('a row with text instead of digests stores none', async () => {
  await keep(true);
  const rows = [{ name: 'Tom Price', match: 'abc/def' }];
  expect((await app.call(pupilImportCalls.createPupils, { ...at(), body: { readers: rows } })).reply.meta.created).toBe(
    1,
  );
  expect(await countKept()).toBe(0);
});
