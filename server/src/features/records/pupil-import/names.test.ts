import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilName } from '#contract/fields.ts';
import { stripAccents } from '#contract/strip-accents.ts';
import passwordWords from '#content/password-words.json' with { type: 'json' };
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { read, utils, write } from '@e965/xlsx';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { reserveUsernames } from './create-pupils.queries.ts';
import { parseWorkbook } from './parser.service.ts';
import { readWorkbook } from '../../../spreadsheets/workbook.ts';
import {
  generatePassword,
  joinsRudely,
  loginInstruction,
  usernameStem,
} from '../../school/login-cards/login-cards.public.ts';

const app = testApp();

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZéüñøŁłęçßŵŷÁÖđễạğ'.split('');
/** Titles of adults and words for classes raise questions. */
const NO_NAME = /^(mr|mrs|miss|ms|mx|dr|prof|sir|madam|revd?|year|yr|class|clas|rang|form|reception|nursery)$/i;
const word = fc
  .array(fc.constantFrom(...letters), { minLength: 2, maxLength: 12 })
  .map((signs) => signs.join(''))
  .filter((text) => !NO_NAME.test(stripAccents(text)));
/** Valid names: letters of many languages, hyphens, apostrophes, spaces. */
const name = fc
  .array(word, { minLength: 2, maxLength: 4 })
  .chain((words) =>
    fc
      .array(fc.constantFrom(' ', '-', "'", ' '), { minLength: words.length - 1, maxLength: words.length - 1 })
      .map((signs) => words.map((text, index) => text + (signs[index] ?? '')).join('')),
  )
  .filter((text) => pupilName.safeParse(text).success);
const nameList = fc.uniqueArray(name, {
  minLength: 1,
  maxLength: 20,
  selector: (text) => stripAccents(text).toLowerCase(),
});

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const writers: Record<string, (rows: string[][]) => { name: string; content: Buffer }> = {
  csv: (rows) => ({
    name: 'pupils.csv',
    content: Buffer.from(rows.map((cells) => cells.map(quoted).join(',')).join('\r\n')),
  }),
  'csv in UTF-16': (rows) => ({
    name: 'pupils.csv',
    content: Buffer.from(`\uFEFF${rows.map((cells) => cells.join('\t')).join('\n')}`, 'utf16le'),
  }),
  xls: (rows) => ({ name: 'pupils.xls', content: workbook(rows, 'biff8') }),
  xlsx: (rows) => ({ name: 'pupils.xlsx', content: workbook(rows, 'xlsx') }),
};

function workbook(rows: string[][], bookType: 'biff8' | 'xlsx'): Buffer {
  const book = utils.book_new();
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows), 'Roll');
  return write(book, { type: 'buffer', bookType }) as Buffer;
}

/** Parses in this thread, because loading the worker's code takes longer than reading a file. */
const parse = (upload: { name: string; content: Buffer }) =>
  parseWorkbook(readWorkbook(upload), { roles: undefined, classChosen: false });

describe.each(Object.entries(writers))('any list of names survives %s', (_, writeRoll) => {
  test('any list of names under one header is read', () =>
    fc.assert(
      fc.property(nameList, (names) => {
        const { rows } = parse(writeRoll([['Name', 'Class'], ...names.map((text) => [text, '3A'])]));
        expect(rows.map((row) => pupilName.parse(row.name))).toEqual(names.map((text) => pupilName.parse(text)));
      }),
      { numRuns: 50 },
    ));

  test('any list of names as "Surname, Forename" is read', () =>
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word), { minLength: 1, maxLength: 15 }), (pairs) => {
        const { rows } = parse(writeRoll([['Pupil'], ...pairs.map(([first, last]) => [`${last}, ${first}`])]));
        expect(rows.map((row) => row.name)).toEqual(pairs.map(([first, last]) => `${first} ${last}`));
      }),
      { numRuns: 50 },
    ));
});

test('importing an export changes nothing, and the import reads every exported column', () =>
  fc.assert(
    fc.asyncProperty(
      nameList,
      fc.array(fc.constantFrom(null, 'Owls', 'Year 4 Wrens', '=Odd', '3'), { minLength: 20, maxLength: 20 }),
      async (names, classes) => {
        const school = await app.build.school({ maxPupils: 999 });
        const params = { id: school.id };
        const { token } = school.admin;
        const pupils = names.map((text, index) => ({
          name: text,
          class: classes[index]?.replace('=', '') ?? null,
          namesake: true,
        }));
        expect(
          (await app.call(pupilImportCalls.createPupils, { params, body: { readers: pupils }, token })).reply.meta
            .created,
        ).toBe(names.length);
        for (const format of ['xlsx', 'csv'] as const) {
          const { bytes } = await app.call(downloadCalls.exportPupils, { params, query: { output: format }, token });
          const { reply } = await app.call(pupilImportCalls.previewPupils, {
            params,
            file: { name: `pupils.${format}`, content: bytes },
            token,
          });
          expect(reply).toMatchObject({
            counts: { new: 0, already: names.length + 4, moved: 0, archived: 0, duplicate: 0, wrong: 0 },
            new_classes: [],
          });
          // A change in a column that the import does not read would be lost without notice.
          const columns = reply.understood.sheets.filter(({ used }) => used).flatMap((sheet) => sheet.columns);
          expect(columns.map(({ role }) => role)).toEqual(['name', 'class', 'year_group']);
        }
      },
    ),
    { numRuns: 4 },
  ));

describe('usernames', () => {
  test('usernames consist of plain letters made from the name', () => {
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

  test('usernames are unique when many schools create pupils with the same name concurrently', async () => {
    const schools = [await app.build.school(), await app.build.school(), await app.build.school()];
    const wanted = [
      ...Array.from({ length: 30 }, () => 'Mohammed Ali'),
      ...Array.from({ length: 10 }, () => 'Li'),
      'Ada Baker',
    ];
    const taken = await Promise.all(
      schools.map((school, index) =>
        inSchool(app.database, school.id, (db) => reserveUsernames(db, index === 1 ? wanted.toReversed() : wanted)),
      ),
    );
    const all = taken.flat();
    expect(all).toHaveLength(123);
    expect(new Set(all).size).toBe(123);
    for (const username of all) expect(username).toMatch(/^[a-z-]{2,}[2-9]*$/);
  });
});

describe('generated passwords of pupils', () => {
  const WORDS = /^[a-hjkmnp-z]{3,5}-[a-hjkmnp-z]{3,5}[2346789]{2}$/;

  test('a generated password is two words with a hyphen and two digits, without characters that look like others', () => {
    const made = Array.from({ length: 2000 }, () => generatePassword());
    for (const password of made) expect(password).toMatch(WORDS);
    expect(new Set(made).size).toBeGreaterThan(1990);
  });

  test('a generated password for infants has words of at most 4 letters', () => {
    for (const password of Array.from({ length: 500 }, () => generatePassword(true)))
      expect(password).toMatch(/^[a-z]{3,4}-[a-z]{3,4}\d\d$/);
  });

  test('the two words of a generated password never form something rude across the hyphen', () => {
    const rude = [
      'arse',
      'ass',
      'bum',
      'butt',
      'crap',
      'cum',
      'damn',
      'dead',
      'fag',
      'fart',
      'fat',
      'gay',
      'perv',
      'rape',
      'scum',
      'sex',
      'shag',
      'turd',
      'twat',
      'wank',
    ];
    for (const first of passwordWords)
      for (const second of passwordWords) {
        if (joinsRudely(first, second)) continue;
        const joined = first + second;
        const found = rude.filter((rudeWord) => {
          const from = joined.indexOf(rudeWord, Math.max(0, first.length - rudeWord.length + 1));
          return from >= 0 && from < first.length && from + rudeWord.length > first.length;
        });
        if (found.length > 0) throw new Error(`${first} ${second} reads as ${found.join()}`);
      }
    expect(joinsRudely('pear', 'sea')).toBe(true);
    expect(joinsRudely('pear', 'tree')).toBe(false);
    // One pair of words in 200 would form something rude.
    for (const password of Array.from({ length: 5000 }, () => generatePassword())) {
      const [first = '', second = ''] = password.replace(/\d/g, '').split('-');
      expect(joinsRudely(first, second)).toBe(false);
    }
  });

  test('passwords from an import work with and without hyphen and spaces, and Reception to Year 2 get short words', async () => {
    const school = await app.build.school({ maxPupils: 999 });
    const rows = ['Reception Oak', 'Year 1', 'Y2 Wrens', 'Year 6', 'Year 12'].flatMap((className) =>
      Array.from({ length: 6 }, (_, n) => ({ name: `Robin ${'ABCDEF'[n]}arrow`, class: className })),
    );
    const { token } = school.admin;
    const { reply } = await app.call(pupilImportCalls.createPupils, {
      params: { id: school.id },
      token,
      body: { readers: rows },
    });
    const path = new URL(reply.links?.spreadsheet ?? '').pathname.replace('/v1', '');
    const sheet = read((await app.ask('GET', path, { token })).bytes);
    const logins = utils.sheet_to_json<Record<string, string>>(sheet.Sheets[sheet.SheetNames[0] ?? ''] ?? {});
    expect(logins).toHaveLength(30);
    for (const { Class: className = '', Password: password = '' } of logins) {
      expect(password).toMatch(WORDS);
      if (/Reception|Year 1$|Y2/.test(className)) expect(password).toMatch(/^[a-z]{3,4}-[a-z]{3,4}\d\d$/);
    }
    const [{ Username: username = '', Password: password = '' } = {}] = logins;
    const logIn = async (typed: string) =>
      (await app.call(readingAppCalls.logInPupil, { body: { username, password: typed } })).status;
    for (const typed of [password, password.replace('-', ''), password.replace('-', ' '), password.replace('-', ' – ')])
      expect(await logIn(typed)).toBe(200);
    expect(await logIn(password.replace('-', 'x'))).toBe(401);
  });
});

test.each([
  [{ url: 'https://read.example/app/', name: 'Storylark Reader' }, 'Log in to Storylark Reader at read.example/app'],
  [{ url: 'https://read.example', name: undefined }, 'Log in at read.example'],
  [{ url: undefined, name: 'Storylark Reader' }, 'Open Storylark Reader and log in'],
  [{ url: undefined, name: undefined }, 'Open the reading app and log in'],
])('a login card for the reading app %o says: %s', (readingApp, instruction) => {
  expect(loginInstruction(readingApp)).toBe(instruction);
});
