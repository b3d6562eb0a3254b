import { pupilCalls } from '#contract/calls/pupils.ts';
import { stripAccents } from '#contract/strip-accents.ts';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;

beforeAll(async () => {
  school = await app.build.school();
});

const rename = (pupilId: number, name: string, token = school.admin.token) =>
  app.call(pupilCalls.renamePupil, { params: { id: school.id, readerId: pupilId }, body: { name }, token });
const nameOf = async (pupilId: number) =>
  (await app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupilId }, token: school.admin.token }))
    .reply.reader.name;
const auditOf = (pupilId: number) =>
  app.database.kysely
    .selectFrom('audit_log')
    .selectAll()
    .where('subject_id', '=', String(pupilId))
    .orderBy('id')
    .execute();
const rowOf = (pupilId: number) =>
  app.database.kysely.selectFrom('pupils').selectAll().where('id', '=', pupilId).executeTakeFirstOrThrow();
const someone = async (name = 'Ada Baker') =>
  (await app.build.pupils(school, school.ownClass.id, [name]))[0] ?? school.unplaced;

/** Letters with marks that Unicode composes, and some that it does not decompose. */
const letter = fc.constantFrom(...'abcdefgzABCXYZéèêëñöüåçğşžłøđæœþßÉÀÖŁØĐÆŒÞşțāēīōūừậễŵŷ');
const join = fc.constantFrom(' ', '-', "'");
const word = fc.array(letter, { minLength: 1, maxLength: 12 }).map((letters) => letters.join(''));
const goodName = fc
  .tuple(word, fc.array(fc.tuple(join, word), { maxLength: 4 }))
  .map(([first, further]) => first + further.flat().join(''))
  .filter((name) => stripAccents(name).length >= 2);

describe('names of pupils', () => {
  test('a pupil’s name has letters with any accent, apostrophes, hyphens and spaces, and is stored tidied', async () => {
    const { id, username } = await someone();
    await fc.assert(
      fc.asyncProperty(goodName, fc.constantFrom('NFC', 'NFD'), async (name, form) => {
        const { status, reply } = await rename(id, `  ${name.normalize(form)} `);
        expect(status).toBe(200);
        expect(reply.reader).toMatchObject({ id, username, name: name.normalize('NFC') });
        expect(await nameOf(id)).toBe(name.normalize('NFC'));
        expect((await rowOf(id)).name_key).toBe(stripAccents(name).toLowerCase());
      }),
      { numRuns: 20 },
    );
  });

  test('rejects a pupil’s name with any other character, and changes nothing', async () => {
    const { id } = await someone('Stays Same');
    const foreign = fc.constantFrom(...'0123456789,;:!?()[]{}<>/\\|@#$%^&*_+="~', '\u0000', '\uFFFD', 'я', '中', '😀');
    await fc.assert(
      fc.asyncProperty(goodName, foreign, fc.nat(), async (name, character, offset) => {
        const at = offset % (name.length + 1);
        const { status, error } = await rename(id, name.slice(0, at) + character + name.slice(at));
        expect(status).toBe(422);
        expect(Object.keys(error.errors ?? {})).toEqual(['name']);
      }),
      { numRuns: 30 },
    );
  });

  test.each([
    [2, 'Jo'],
    [191, `A${'b'.repeat(190)}`],
    [191, `É${'ö'.repeat(190)}`],
  ])('accepts a pupil’s name of %i characters: %s', async (length, name) => {
    const { id } = await someone();
    expect((await rename(id, name)).status).toBe(200);
    expect([...(await nameOf(id))]).toHaveLength(length);
  });

  test.each([
    '',
    ' ',
    'A',
    'É',
    'A\u0301\u0301',
    ' A ',
    '--',
    "''",
    '- -',
    `A${'b'.repeat(191)}`,
    `ß${'ß'.repeat(95)}`,
    `Ab${'\u0301'.repeat(300)}`,
  ])('rejects the pupil’s name %j', async (name) => {
    const { id } = await someone('Stays Same');
    expect((await rename(id, name)).status).toBe(422);
    expect(await nameOf(id)).toBe('Stays Same');
  });

  test.each([undefined, null, 7, true, ['Ada'], { first: 'Ada' }])(
    'rejects the pupil’s name %j, which is not a string',
    async (name) => {
      const { id } = await someone('Stays Same');
      const { status, error } = await app.ask('POST', `/enterprises/${school.id}/readers/${id}`, {
        token: school.admin.token,
        payload: { name },
      });
      expect(status).toBe(422);
      expect(error.errors?.name).toHaveLength(1);
    },
  );

  test.each([
    ['O\u2019Brien', "O'Brien"],
    ['O\u2018Brien', "O'Brien"],
    ['O\u02BCBrien', "O'Brien"],
    ['O`Brien', "O'Brien"],
    ['Mary\u2011Jane', 'Mary-Jane'],
    ['Mary\u2013Jane', 'Mary-Jane'],
    ['Zoe\u0308 Nguye\u0302\u0303n', 'Zoë Nguyễn'],
    ['  Ada \u00A0\t Baker\n', 'Ada Baker'],
    ['\u202EAda Ba\u200Bker', 'Ada Baker'],
    ['- Ada St. Clair', 'Ada St. Clair'],
  ])('stores the pupil’s name %j as %j', async (typed, stored) => {
    const { id } = await someone();
    expect((await rename(id, typed)).reply.reader.name).toBe(stored);
    expect(await nameOf(id)).toBe(stored);
  });
});

describe('permission to rename', () => {
  test('a teacher renames pupils of their own class and pupils without a class', async () => {
    const ownPupil = await someone();
    expect((await rename(ownPupil.id, 'Own Renamed', school.teacher.token)).status).toBe(200);
    const { id } = (await app.build.pupils(school, null, ['No Class']))[0] ?? ownPupil;
    expect((await rename(id, 'None Renamed', school.teacher.token)).status).toBe(200);
  });

  test("renaming a pupil of another teacher's class answers 409 and changes nothing", async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const managed = await app.build.newClass(school, 'Year 6 Owls', colleague.id);
    const [theirs] = await app.build.pupils(school, managed, ['Theirs Stays']);
    for (const { id, name } of [theirs ?? school.unplaced, ...school.otherClass.pupils]) {
      const { status, error } = await rename(id, 'Taken Over', school.teacher.token);
      expect({ status, type: error.error_type }).toEqual({ status: 409, type: 'conflict' });
      expect(await nameOf(id)).toBe(name);
      expect(await auditOf(id)).toEqual([]);
    }
  });
});

describe('the audit log of renames', () => {
  test('the audit log records who renamed which pupil, without names', async () => {
    const { id } = await someone('Old Name');
    await rename(id, 'New Name', school.teacher.token);
    const { at, details, ...row } = (await auditOf(id))[0] ?? { at: new Date(0) };
    expect(row).toMatchObject({
      school_id: school.id,
      actor_user_id: school.teacher.id,
      impersonator_user_id: null,
      action: 'pupil_renamed',
      subject_kind: 'pupil',
    });
    expect(details).toEqual({});
    expect(at.toISOString()).toBe('2026-11-18T12:00:00.000Z');
  });

  test('the audit log has no entry when a pupil’s name is unchanged', async () => {
    const { id } = await someone("Zoë O'Hara");
    const before = await rowOf(id);
    for (const same of ["Zoë O'Hara", ' Zoe\u0308  O\u2019Hara ']) expect((await rename(id, same)).status).toBe(200);
    expect(await auditOf(id)).toEqual([]);
    expect(await rowOf(id)).toEqual(before);
  });

  test('the school’s database role cannot change the audit log', async () => {
    const { id } = await someone();
    await rename(id, 'New Name');
    await expect(
      inSchool(app.database, school.id, (db) =>
        db.tx.updateTable('audit_log').set({ action: 'x' }).where('school_id', '=', school.id).execute(),
      ),
    ).rejects.toThrow(/permission denied/);
    await expect(
      inSchool(app.database, school.id, (db) =>
        db.tx.deleteFrom('audit_log').where('school_id', '=', school.id).execute(),
      ),
    ).rejects.toThrow(/permission denied/);
  });
});
