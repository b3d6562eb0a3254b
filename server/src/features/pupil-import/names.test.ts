import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilName, stripAccents } from '#contract/fields.ts';
import { utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inSchool } from '../../database/school.ts';
import { testApp } from '../../testing/app.ts';
import { reserveUsernames } from './create-pupils.queries.ts';
import { parseImport } from './pupil-import.service.ts';
import { generatePassword, usernameStem } from '../login-cards/login-cards.public.ts';

const app = testApp();

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZéüñøŁłęçßŵŷÁÖđễạğ'.split('');
const word = fc.array(fc.constantFrom(...letters), { minLength: 2, maxLength: 12 }).map((signs) => signs.join(''));
/** Names as the rule allows them: letters of many languages, hyphens, apostrophes, spaces. */
const name = fc
  .array(word, { minLength: 2, maxLength: 4 })
  .chain((words) =>
    fc
      .array(fc.constantFrom(' ', '-', "'", ' '), { minLength: words.length - 1, maxLength: words.length - 1 })
      .map((signs) => words.map((text, place) => text + (signs[place] ?? '')).join('')),
  )
  .filter((text) => pupilName.safeParse(text).success && !/^(year|class|form|reception|nursery)\b/i.test(text));
const roll = fc.uniqueArray(name, {
  minLength: 1,
  maxLength: 20,
  selector: (text) => stripAccents(text).toLowerCase(),
});

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const writers: Record<string, (rows: string[][]) => { name: string; content: Buffer }> = {
  csv: (rows) => ({
    name: 'roll.csv',
    content: Buffer.from(rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')),
  }),
  'csv in UTF-16': (rows) => ({
    name: 'roll.csv',
    content: Buffer.from(`\uFEFF${rows.map((cells) => cells.join('\t')).join('\n')}`, 'utf16le'),
  }),
  xls: (rows) => ({ name: 'roll.xls', content: workbook(rows, 'biff8') }),
  xlsx: (rows) => ({ name: 'roll.xlsx', content: workbook(rows, 'xlsx') }),
};

function workbook(rows: string[][], bookType: 'biff8' | 'xlsx'): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Roll');
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

describe.each(Object.entries(writers))('any list of names survives %s', (_, writeRoll) => {
  test('under one header', () =>
    fc.assert(
      fc.asyncProperty(roll, async (names) => {
        const read = await parseImport({
          upload: writeRoll([['Name', 'Class'], ...names.map((text) => [text, '3A'])]),
          classChosen: false,
          path: 'readers',
        });
        expect(read?.rows.map((row) => pupilName.parse(row.name))).toEqual(names.map((text) => pupilName.parse(text)));
      }),
      { numRuns: 12 },
    ));

  test('as "Surname, Forename"', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 15 }), async (pairs) => {
        const read = await parseImport({
          upload: writeRoll([['Pupil'], ...pairs.map(([first, last]) => [`${last}, ${first}`])]),
          classChosen: false,
          path: 'readers',
        });
        expect(read?.rows.map((row) => row.name)).toEqual(pairs.map(([first, last]) => `${first} ${last}`));
      }),
      { numRuns: 8 },
    ));
});

test('what is exported and imported again changes nothing', () =>
  fc.assert(
    fc.asyncProperty(
      roll,
      fc.array(fc.constantFrom(null, 'Owls', 'Year 4 Wrens', '=Odd', '3'), { minLength: 20, maxLength: 20 }),
      async (names, classes) => {
        const school = await app.build.school({ maxReaders: 999 });
        const params = { id: school.id };
        const { token } = school.admin;
        const readers = names.map((text, place) => ({
          name: text,
          class: classes[place]?.replace('=', '') ?? null,
          namesake: true,
        }));
        expect(
          (await app.call(pupilImportCalls.createPupils, { params, body: { readers }, token })).reply.meta.created,
        ).toBe(names.length);
        for (const format of ['xlsx', 'csv'] as const) {
          const { bytes } = await app.call(downloadCalls.exportPupils, { params, query: { format }, token });
          const { reply } = await app.call(pupilImportCalls.previewPupils, {
            params,
            file: { name: `pupils.${format}`, content: bytes },
            token,
          });
          expect(reply).toMatchObject({
            counts: { new: 0, already: names.length + 4, duplicate: 0, wrong: 0 },
            new_classes: [],
          });
        }
      },
    ),
    { numRuns: 4 },
  ));

describe('usernames', () => {
  test('are plain letters made from the name', () => {
    expect(
      [
        'Łukasz Żółć',
        'Nguyễn Thị Ánh',
        "Oluwaseun-Adébáyò O'Connor-Featherstonehaugh",
        'Li',
        "O'Brien",
        'Ada Mary Baker',
      ].map(usernameStem),
    ).toEqual(['lukasz-zolc', 'nguyen-anh', 'oluwaseun-oconnor', 'li', 'obrien', 'ada-baker']);
    fc.assert(fc.property(name, (text) => /^[a-z]{1,12}(-[a-z]{1,12})?$/.test(usernameStem(text))));
  });

  test('are unique, however many take the same name at once in however many schools', async () => {
    const schools = [await app.build.school(), await app.build.school(), await app.build.school()];
    const wanted = [
      ...Array.from({ length: 30 }, () => 'Mohammed Ali'),
      ...Array.from({ length: 10 }, () => 'Li'),
      'Ada Baker',
    ];
    const taken = await Promise.all(
      schools.map((school, place) =>
        inSchool(app.database, school.id, (db) => reserveUsernames(db, place === 1 ? wanted.toReversed() : wanted)),
      ),
    );
    const all = taken.flat();
    expect(all).toHaveLength(123);
    expect(new Set(all).size).toBe(123);
    for (const username of all) expect(username).toMatch(/^[a-z-]{2,}[2-9]*$/);
  });
});

test('passwords are two short words and two digits that look like nothing else', () => {
  const made = Array.from({ length: 2000 }, generatePassword);
  for (const password of made) expect(password).toMatch(/^[a-hjkmnp-z]{6,10}[2346789]{2}$/);
  expect(new Set(made).size).toBeGreaterThan(1990);
});
