import { archiveCalls } from '#contract/calls/archive.ts';
import { type ImportRowInput, pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };
let ada: BuiltSchool['unplaced'];

beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
  ada = school.ownClass.pupils[0] as BuiltSchool['unplaced'];
});

const at = () => ({ params: { id: school.id } });
const preview = (rows: ImportRowInput[], who = admin) =>
  app.call(pupilImportCalls.previewPupils, { ...at(), body: { readers: rows }, ...who });
const create = (rows: ImportRowInput[], who = admin) =>
  app.call(pupilImportCalls.createPupils, { ...at(), body: { readers: rows }, ...who });
const ofFile = (content: string) =>
  app.call(pupilImportCalls.previewPupils, { ...at(), file: { name: 'list.csv', content }, ...admin });
const classOf = async (pupilId: number) =>
  (await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupilId }, ...admin })).reply.reader?.group
    ?.name;
const firstRow = async (row: ImportRowInput, who = admin) => (await preview([row], who)).reply.rows[0];

test('an existing pupil stays in another class unless the row moves them, also to a new class', async () => {
  expect(await firstRow({ name: 'Ada Baker', class: '3W' })).toMatchObject({
    status: 'already',
    existing: { id: ada.id, group: { name: 'Year 3 Wrens' }, is_archived: false },
  });
  expect(await firstRow({ name: 'Ada Baker', class: '3W', move_to_class: true })).toMatchObject({
    status: 'moved',
    reason: 'Ada Baker moves from Year 3 Wrens to 3W.',
  });
  const { reply } = await create([
    { name: 'Ada Baker', class: '3W', move_to_class: true },
    { name: 'Grace Hopper', class: '3W' },
  ]);
  expect(reply.meta).toMatchObject({ created: 1, moved: 1, classes_created: ['3W'] });
  expect(await classOf(ada.id)).toBe('3W');
  // The same import again changes nothing.
  expect((await create([{ name: 'Ada Baker', class: '3W', move_to_class: true }])).reply.meta).toMatchObject({
    created: 0,
    moved: 0,
    already: 1,
  });
});

test('a teacher moves pupils only between their own classes', async () => {
  const finn = school.otherClass.pupils[0]?.name ?? '';
  expect(await firstRow({ name: finn, class: 'Year 3 Wrens', move_to_class: true }, teacher)).toMatchObject({
    status: 'wrong',
    reason: "Finn O'Hara is in Year 5 Swifts, which you do not manage. Ask an administrator of your school.",
  });
  expect(await firstRow({ name: 'Ada Baker', class: 'Year 5 Swifts', move_to_class: true }, teacher)).toMatchObject({
    status: 'wrong',
    reason: 'You do not manage Year 5 Swifts. Ask its teacher or an administrator of your school.',
  });
  expect((await create([{ name: 'Ada Baker', class: 'Year 5 Swifts', move_to_class: true }], teacher)).status).toBe(
    422,
  );
  expect(await classOf(ada.id)).toBe('Year 3 Wrens');
});

test('a row with the name of an archived pupil asks whether it is the same child', async () => {
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [ada.id] }, ...admin });
  expect(await firstRow({ name: 'Ada Baker', class: 'Year 5 Swifts' })).toMatchObject({
    status: 'archived',
    reason: 'Ada Baker was deleted and is in the archive. Is this the same child?',
  });
  const unanswered = await create([{ name: 'Ada Baker' }]);
  expect({ status: unanswered.status, errors: unanswered.error.errors }).toEqual({
    status: 422,
    errors: { 'readers.0.name': ['Ada Baker was deleted and is in the archive. Is this the same child?'] },
  });
  expect(await firstRow({ name: 'Ada Baker', move_to_class: true }, teacher)).toMatchObject({ status: 'wrong' });

  // Another child with this name is a new pupil. The same child is restored with the old login.
  expect((await create([{ name: 'Ada Baker', namesake: true }])).reply.meta.created).toBe(1);
  const back = await app.call(pupilImportCalls.createPupils, {
    ...at(),
    body: {
      readers: [{ name: 'Ada Baker' }, { name: 'Ada Baker', class: 'Year 5 Swifts', move_to_class: true }],
    },
    ...admin,
  });
  expect(back.reply.meta).toMatchObject({ created: 0, already: 1, moved: 1 });
  expect(await classOf(ada.id)).toBe('Year 5 Swifts');
});

describe('a pupil whom the preview found', () => {
  const countPupils = async () => (await app.call(pupilCalls.listPupils, { ...at(), ...admin })).reply.meta.total;
  const ways: [string, () => Promise<unknown>][] = [
    [
      'erased',
      async () => {
        await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [ada.id] }, ...admin });
        await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: ada.id }, ...admin });
      },
    ],
    [
      'renamed',
      () =>
        app.call(pupilCalls.renamePupil, {
          params: { id: school.id, readerId: ada.id },
          body: { name: 'Ada Bell' },
          ...admin,
        }),
    ],
  ];

  test.each(ways)(
    'an import rejects a row whose known pupil was %s since the preview, and adds no one',
    async (_how, change) => {
      const rows = [
        { name: 'Ada Baker', year_group: '4' as const },
        { name: 'Ada Baker', class: '3W', move_to_class: true },
      ];
      const confirmed = await Promise.all(
        rows.map(async (row) => ({ ...row, existing_id: (await firstRow(row))?.existing?.id })),
      );
      await change();
      const before = await countPupils();
      for (const row of confirmed) {
        const { status, error } = await create([row]);
        expect({ status, errors: error.errors }).toEqual({
          status: 422,
          errors: { 'readers.0.name': ['Ada Baker was in your school when you checked this list, and no longer is.'] },
        });
      }
      expect(await countPupils()).toBe(before);
    },
  );

  test('the ID in a row decides between two pupils of the same name', async () => {
    const namesake = (await create([{ name: 'Ada Baker', namesake: true }])).reply.readers[0];
    expect(await firstRow({ name: 'Ada Baker', existing_id: ada.id })).toMatchObject({ existing: { id: ada.id } });
    expect(await firstRow({ name: 'Ada Baker', existing_id: namesake!.id })).toMatchObject({
      existing: { id: namesake!.id },
    });
  });
});

test('restored pupils take places in the subscription', async () => {
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [ada.id] }, ...admin });
  await app.database.kysely
    .updateTable('subscriptions')
    .set({ max_readers: 3 })
    .where('school_id', '=', school.id)
    .execute();
  const { reply } = await preview([{ name: 'Ada Baker', move_to_class: true }]);
  expect(reply).toMatchObject({ fits: false, counts: { moved: 1 }, capacity: { left: 0 } });
  expect((await create([{ name: 'Ada Baker', move_to_class: true }])).error.code).toBe('max-readers-reached:admin:0');
});

test('a row without a first name is questioned, and a row of totals is skipped', async () => {
  const { reply } = await ofFile(
    'Surname,Forename,Class\nHopper,Grace,3W\nOkonkwo,,3W\nTotal,Ann,3W\n9 Total,,\n,Total: 9,\n',
  );
  expect(reply.rows.map(({ name, status, lacks_forename }) => [name, status, lacks_forename])).toEqual([
    ['Grace Hopper', 'new', false],
    ['Okonkwo', 'wrong', true],
    ['Ann Total', 'new', false],
  ]);
  expect(reply.rows[1]?.reason).toBe('There is no first name in this row. Is this the whole name?');
  expect(await firstRow({ name: 'Okonkwo', lacks_forename: true })).toMatchObject({ status: 'wrong' });
  expect(await firstRow({ name: 'Okonkwo' })).toMatchObject({ status: 'new' });
});
