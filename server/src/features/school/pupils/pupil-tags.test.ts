import { archiveCalls } from '#contract/calls/archive.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { pupilTagCalls, type TagChange } from '#contract/calls/pupil-tags.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { MAX_PUPIL_TAGS } from '#contract/limits.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { readWorkbook } from '../../../spreadsheets/workbook.ts';
import { listZip, unzip } from '../../../spreadsheets/zip.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
const PURPOSE = 'To plan extra reading time';
let school: BuiltSchool;
let ada: number;
let zoe: number;
let finn: number;

beforeEach(async () => {
  school = await app.build.school();
  [ada, zoe] = school.ownClass.pupils.map(({ id }) => id) as [number, number];
  finn = school.otherClass.pupils[0]!.id;
});

const at = (token = school.admin.token, id = school.id) => ({ params: { id }, token });
const create = (name: string, token = school.admin.token) =>
  app.call(pupilTagCalls.createPupilTag, { ...at(token), body: { name } });
const turnOn = (token = school.admin.token) =>
  app.call(pupilTagCalls.turnOnSensitiveTag, { ...at(token), body: { kind: 'pupil_premium', purpose: PURPOSE } });
const list = async (token = school.admin.token) =>
  (await app.call(pupilTagCalls.listPupilTags, at(token))).reply.tags.map((tag) => [tag.name, tag.reader_ids]);
const tagPupils = (changes: TagChange[], token = school.admin.token) =>
  app.call(pupilTagCalls.tagPupils, { ...at(token), body: { changes } });
const listTagged = async (tag: number, token = school.admin.token) => {
  const { reply } = await app.call(pupilCalls.listPupils, { ...at(token), query: { tag: String(tag) } });
  expect(reply.meta.total_filtered).toBe(reply.readers.length);
  return reply.readers.map(({ id }) => id);
};
const remove = (tagId: number, token = school.admin.token, id = school.id) =>
  app.call(pupilTagCalls.deletePupilTag, { params: { id, tagId }, token });
const countMembers = async () =>
  (
    await app.database.kysely
      .selectFrom('pupil_tag_members')
      .select('pupil_id')
      .where('school_id', '=', school.id)
      .execute()
  ).length;
const exportCsv = async (query: object, token = school.admin.token) =>
  (await app.call(downloadCalls.exportPupils, { ...at(token), query: { output: 'csv', ...query } })).text;

describe('tags of pupils', () => {
  test('tags are seen by admins and the teachers of the pupil’s class, and follow the pupil', async () => {
    const club = (await create('Reading club')).reply.id;
    const premium = (await turnOn()).reply.id;
    await create('Unused');
    await tagPupils([
      { tag_id: club, add: [ada, finn] },
      { tag_id: premium, add: [finn] },
    ]);
    const stranger = await app.build.staff(school, 'teacher');
    expect(await list()).toEqual([
      ['Reading club', [ada, finn].sort((a, b) => a - b)],
      ['Unused', []],
      ['Pupil premium', [finn]],
    ]);
    expect(await list(school.teacher.token)).toEqual([['Reading club', [ada]]]);
    expect(await list(stranger.token)).toEqual([]);
    expect(await listTagged(club)).toEqual([ada, finn]);
    expect(await listTagged(club, school.teacher.token)).toEqual([ada]);
    expect(await listTagged(premium, school.teacher.token)).toEqual([]);
    expect(await listTagged(club, stranger.token)).toEqual([]);

    await app.build.move(school, ada, school.otherClass.id);
    expect(await list(school.teacher.token)).toEqual([]);
    expect(await listTagged(club, school.teacher.token)).toEqual([]);
    // All teachers may rename a pupil without a class, but only admins see the tags.
    await app.build.move(school, ada, null);
    expect(await list(school.teacher.token)).toEqual([]);
    expect(await listTagged(club, school.teacher.token)).toEqual([]);
  });

  test('only admins change tags of pupils', async () => {
    const club = (await create('Reading club')).reply.id;
    const { token } = school.teacher;
    const params = { id: school.id, tagId: club };
    const rejected = [
      await create('Mine', token),
      await app.call(pupilTagCalls.renamePupilTag, { params, body: { name: 'Mine' }, token }),
      await remove(club, token),
      await turnOn(token),
      await tagPupils([{ tag_id: club, add: [ada] }], token),
    ];
    expect(rejected.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
    expect(await list()).toEqual([['Reading club', []]]);
  });

  test('a tag belongs to one school', async () => {
    const otherSchool = await app.build.school();
    const theirs = (
      await app.call(pupilTagCalls.createPupilTag, {
        ...at(otherSchool.admin.token, otherSchool.id),
        body: { name: 'Club' },
      })
    ).reply.id;
    const club = (await create('Club')).reply.id;
    const theirPupil = otherSchool.ownClass.pupils[0]!.id;
    expect((await tagPupils([{ tag_id: theirs, add: [ada] }])).status).toBe(404);
    expect((await tagPupils([{ tag_id: club, add: [ada, theirPupil] }])).status).toBe(404);
    expect((await remove(theirs)).status).toBe(404);
    expect(await listTagged(theirs)).toEqual([]);
    expect(await list()).toEqual([['Club', []]]);
  });

  test('tags have different names regardless of case and accents, also when two admins create one at once', async () => {
    const answers = await Promise.all([create('Café club'), create('CAFE CLUB')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(answers.find(({ status }) => status === 422)?.error.errors?.name?.[0]).toContain('already has a tag');
    const second = (await create('Second')).reply.id;
    const rename = (name: string) =>
      app.call(pupilTagCalls.renamePupilTag, {
        params: { id: school.id, tagId: second },
        body: { name },
        token: school.admin.token,
      });
    expect((await rename('cafe club')).status).toBe(422);
    expect((await rename('SECOND')).status).toBe(200);
    for (const name of ['', ' ', 'x'.repeat(41), 'pupil  Premium', 'Send'])
      expect(Object.keys((await create(name)).error.errors ?? {})).toEqual(['name']);
  });

  test('a school has at most 30 tags', async () => {
    for (let number = 1; number < MAX_PUPIL_TAGS; number += 1) await create(`Tag ${number}`);
    const answers = await Promise.all([create('One more'), turnOn()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await list()).toHaveLength(MAX_PUPIL_TAGS);
  });

  test('a change of tags is made in full or not at all, and the log names the pupils but no tag', async () => {
    const club = (await create('Reading club')).reply.id;
    const premium = (await turnOn()).reply.id;
    await tagPupils([{ tag_id: premium, add: [ada, zoe] }]);
    expect(
      (
        await tagPupils([
          { tag_id: premium, remove: [ada] },
          { tag_id: 999_999, add: [ada] },
        ])
      ).status,
    ).toBe(404);
    await tagPupils([
      { tag_id: premium, add: [zoe], remove: [ada] },
      { tag_id: club, remove: [zoe] },
    ]);
    expect(await listTagged(premium)).toEqual([zoe]);
    const { entries } = (await app.call(schoolCalls.listAuditLog, at())).reply;
    expect(entries.map(({ action, pupils, details }) => [action, pupils?.first.map(({ id }) => id), details])).toEqual([
      ['pupils_tagged', [ada], {}],
      ['pupils_tagged', [ada, zoe], {}],
      ['pupil_tag_turned_on', undefined, { name: 'Pupil premium', purpose: PURPOSE }],
      ['pupil_tag_created', undefined, { name: 'Reading club' }],
    ]);
  });
});

describe('sensitive tags', () => {
  test('sensitive tags are off until they are turned on with a purpose, and lose their pupils when turned off', async () => {
    expect(await list()).toEqual([]);
    const body = { kind: 'send' as const, purpose: '  ' };
    expect((await app.call(pupilTagCalls.turnOnSensitiveTag, { ...at(), body })).status).toBe(422);
    const { id } = (await turnOn()).reply;
    const params = { id: school.id, tagId: id };
    const renamed = await app.call(pupilTagCalls.renamePupilTag, {
      params,
      body: { name: 'Grant' },
      token: school.admin.token,
    });
    expect(renamed.status).toBe(422);
    await tagPupils([{ tag_id: id, add: [ada] }]);
    await app.call(pupilTagCalls.turnOnSensitiveTag, { ...at(), body: { kind: 'pupil_premium', purpose: 'New' } });
    expect((await app.call(pupilTagCalls.listPupilTags, at())).reply.tags).toEqual([
      { id, name: 'Pupil premium', kind: 'pupil_premium', purpose: 'New', reader_ids: [ada] },
    ]);
    expect((await remove(id)).status).toBe(200);
    expect(await countMembers()).toBe(0);
    await turnOn();
    expect(await list()).toEqual([['Pupil premium', []]]);
  });
});

describe('files with tags', () => {
  test('files of pupils leave tags out unless they are ticked, and then have those that the user sees', async () => {
    const club = (await create('Reading club')).reply.id;
    const premium = (await turnOn()).reply.id;
    await tagPupils([
      { tag_id: club, add: [ada] },
      { tag_id: premium, add: [ada, finn] },
    ]);
    expect(await exportCsv({})).not.toMatch(/tag|club|premium/i);
    const csv = await exportCsv({ include_tags: '1' });
    expect(csv).toContain('Name,Class,Year group,Tags');
    expect(csv).toContain('Ada Baker,Year 3 Wrens,,Reading club; Pupil premium');
    const ofTeacher = await exportCsv({ include_tags: '1' }, school.teacher.token);
    expect(ofTeacher).toContain('Reading club; Pupil premium');
    expect(ofTeacher).toMatch(/Finn O'Hara,Year 5 Swifts,,\r?\n/);

    const about = async (query: object) => {
      const { bytes } = await app.call(downloadCalls.exportPupils, { ...at(), query });
      const { sheets } = readWorkbook({ name: 'table.xlsx', content: bytes });
      return sheets.map(({ rows }) => rows.map(({ cells }) => cells.join()).join('\n')).join('\n');
    };
    expect(await about({ tag: String(premium) })).toContain('Filter: pupils with a certain tag.');
    expect(await about({ tag: String(premium) })).not.toContain('premium');
    const ticked = await about({ tag: String(premium), include_tags: '1' });
    expect(ticked).toContain('Filter: tag: Pupil premium.');
    expect(ticked).toContain(`Pupil premium: recorded for this purpose: ${PURPOSE}`);

    const file = { name: 'pupils.csv', content: Buffer.from(csv) };
    const seen = await app.call(pupilImportCalls.previewPupils, { ...at(), file });
    expect(seen.reply.counts).toMatchObject({ new: 0, already: 4, moved: 0, wrong: 0 });
    const { entries } = (await app.call(schoolCalls.listAuditLog, at())).reply;
    expect(entries.map(({ action }) => action)).toContain('pupils_with_tags_exported');
  });

  test('the file of the whole school contains tags', async () => {
    const { id } = (await turnOn()).reply;
    await tagPupils([{ tag_id: id, add: [ada] }]);
    const content = Buffer.from((await app.call(downloadCalls.exportSchool, at())).bytes);
    const entry = (listZip(content) ?? []).find(({ name }) => name === 'pupils.xlsx')!;
    const { sheets } = readWorkbook({ name: 'pupils.xlsx', content: unzip(content, entry)! });
    expect(sheets[0]?.rows.map(({ cells }) => cells)).toContainEqual([
      'Ada Baker',
      'Year 3 Wrens',
      '',
      'Pupil premium',
    ]);
  });
});

test('an archived pupil keeps their tags out of sight, and erasing the pupil deletes them', async () => {
  const club = (await create('Reading club')).reply.id;
  await tagPupils([{ tag_id: club, add: [ada] }]);
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [ada] } });
  expect(await list()).toEqual([['Reading club', []]]);
  await app.call(archiveCalls.restorePupils, { ...at(), body: { reader_ids: [ada] } });
  expect(await list()).toEqual([['Reading club', [ada]]]);
  await app.call(archiveCalls.archivePupils, { ...at(), body: { reader_ids: [ada] } });
  expect(await countMembers()).toBe(1);
  await app.call(archiveCalls.erasePupil, { params: { id: school.id, readerId: ada }, token: school.admin.token });
  expect(await countMembers()).toBe(0);
});
