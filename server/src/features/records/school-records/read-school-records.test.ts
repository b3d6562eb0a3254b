import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { type BundleContent, bundleFiles, oneRosterBundle, transferFile } from '../../../testing/oneroster.ts';
import { zip } from '../../../testing/zip.ts';
import type { SchoolRecordsFile } from './file-content.service.ts';
import { readSchoolRecords } from './read-school-records.service.ts';

const TODAY = '2026-11-18';
const readAll = (content: Buffer | string, school: string | null = null) =>
  readSchoolRecords({ content: Buffer.from(content), today: TODAY, school });
function read(content: Buffer | string, school: string | null = null): SchoolRecordsFile {
  const { file } = readAll(content, school);
  if (!file) throw new Error('The school must be chosen.');
  return file;
}

const CONTENT: BundleContent = {
  pupils: [
    { id: 'a', given: 'Ada', family: 'Bell', classes: ['k1'], birth: '2018-03-04', upn: 'B801200005001' },
    { id: 't', given: 'Tom', family: 'Price', classes: ['k1', 'k2'], grade: '06' },
  ],
  classes: [
    { id: 'k1', title: 'Wrens' },
    { id: 'k2', title: 'Phonics', type: 'scheduled' },
    { id: 'k3', title: 'Empty' },
  ],
  staff: [{ id: 's', given: 'Jo', family: 'Reed', email: 'jo@oak.example' }],
};
/** The bundle with files changed. */
const changed = (change: (files: Record<string, string>) => void, content = CONTENT) => {
  const files = bundleFiles(content);
  change(files);
  return zip(files);
};
const edit = (name: string, from: string | RegExp, to: string) =>
  changed((files) => {
    const before = files[name] ?? '';
    files[name] = before.replace(from, to);
    expect(files[name]).not.toBe(before);
  });

describe('a OneRoster bundle', () => {
  test('a OneRoster bundle has pupils, the classes that they are in, and staff', () => {
    expect(read(oneRosterBundle(CONTENT))).toEqual({
      kind: 'oneroster',
      isComplete: true,
      pupils: [
        {
          sourceId: 'a',
          name: 'Ada Bell',
          yearGroup: '3',
          classIds: ['k1'],
          upn: 'B801200005001',
          birthDate: '2018-03-04',
          isGone: false,
        },
        {
          sourceId: 't',
          name: 'Tom Price',
          yearGroup: '6',
          classIds: ['k1', 'k2'],
          upn: null,
          birthDate: null,
          isGone: false,
        },
      ],
      classes: [
        { sourceId: 'k1', name: 'Wrens', isHomeroom: true },
        { sourceId: 'k2', name: 'Phonics', isHomeroom: false },
      ],
      staff: [{ name: 'Jo Reed', email: 'jo@oak.example' }],
      unclearStaff: [],
      notes: [],
    });
  });

  test('a OneRoster bundle may be in a folder, and its files may begin with a byte order mark', () => {
    const files = bundleFiles(CONTENT);
    const nested = Object.fromEntries(Object.entries(files).map(([name, text]) => [`export/${name}`, `\uFEFF${text}`]));
    expect(read(zip({ '__MACOSX/manifest.csv': 'x', ...nested })).pupils).toHaveLength(2);
  });

  test('a OneRoster delta states who has left, and names pupils and classes of earlier bundles', () => {
    const delta = read(
      changed(
        (files) => {
          files['enrollments.csv'] += '\r\n"e-x","","","k9","org","x","student"';
        },
        {
          pupils: [{ id: 'a', given: 'Ada', family: 'Bell', status: 'tobedeleted' }],
          mode: 'delta',
        },
      ),
    );
    expect(delta).toMatchObject({
      isComplete: false,
      pupils: [
        { sourceId: 'a', isGone: true },
        { sourceId: 'x', name: null, classIds: ['k9'] },
      ],
    });
  });

  test('a OneRoster bundle may have files in Windows-1252 or UTF-16', () => {
    const files = bundleFiles({ pupils: [{ id: 'z', given: 'Zoë', family: 'Bell' }] });
    const users = files['users.csv'] ?? '';
    for (const content of [Buffer.from(users, 'latin1'), Buffer.from(`\ufeff${users}`, 'utf16le')])
      expect(read(zip({ ...files, 'users.csv': content })).pupils[0]?.name).toBe('Zoë Bell');
  });

  test.each<[string, () => Buffer, string[]]>([
    ['with modes in another case', () => edit('manifest.csv', /bulk/g, ' Bulk '), []],
    ['with a version that has text behind it', () => edit('manifest.csv', '"1.2"', '"v1.2.1 final "'), []],
    ['with columns in another case', () => edit('users.csv', 'givenName', 'GivenName'), []],
    [
      'with files in another case',
      () =>
        changed((files) => {
          files['Users.CSV'] = files['users.csv'] ?? '';
          delete files['users.csv'];
        }),
      [],
    ],
    [
      'with columns of a supplier',
      () => edit('users.csv', /,"grades"|,"0[36]"|,""(?=\r\n|$)/g, '$&,"House"'),
      ['users.csv: we did not read these columns, because they are not those of OneRoster: “House”.'],
    ],
    ['with an empty row and empty cells at the end', () => edit('users.csv', /$/, ',,\r\n,,,,,,,,'), []],
    ['with a user once for each role', () => edit('users.csv', /\r\n("t".*)/, '\r\n$1\r\n$1'), []],
    ['with metadata', () => edit('users.csv', /,"grades"|,"0[36]"|,""(?=\r\n|$)/g, '$&,"metadata.house"'), []],
    [
      'with a class that has more cells than columns',
      () => edit('classes.csv', '"Empty"', '"Empty","x"'),
      ['classes.csv, row 4: it has more or fewer cells than columns. The record was left out.'],
    ],
  ])('a OneRoster bundle %s is read', (_, make, notes) => {
    const file = read(make());
    expect(file).toMatchObject({ isComplete: true, notes });
    expect(file.pupils.map(({ name }) => name)).toEqual(['Ada Bell', 'Tom Price']);
  });

  test('a user with more cells than columns is unchanged, and the notes name the row', () => {
    const { pupils, notes } = read(edit('users.csv', '"Price"', '"Price","Hale"'));
    expect(pupils).toMatchObject([{ name: 'Ada Bell' }, { sourceId: 't', name: null, isGone: false, classIds: [] }]);
    expect(notes[0]).toBe('users.csv, row 3: it has more or fewer cells than columns. The pupil was left out.');
  });

  test('a user with more cells than columns whose ID is not in the first column rejects the bundle', () => {
    const moved = edit('users.csv', '"sourcedId","status"', '"status","sourcedId"');
    expect(() => read(moved)).toThrow('no sourcedId');
    const ragged = changed((files) => {
      const [header = '', ...rows] = (files['users.csv'] ?? '').split('\r\n');
      const swap = (row: string) => row.replace(/^([^,]*),([^,]*)/, '$2,$1');
      files['users.csv'] = [header, ...rows].map(swap).join('\r\n').replace('"Price"', '"Price","Hale"');
    });
    expect(() => read(ragged)).toThrow('fewer cells');
  });

  test('no pupil of a bundle with a mode that we do not know counts as missing', () => {
    const file = read(edit('manifest.csv', '"file.users","bulk"', '"file.users","full"'));
    expect(file.isComplete).toBe(false);
    expect(file.notes).toEqual([
      'manifest.csv: “full” for users.csv is neither bulk, delta nor absent. We read it as delta, so no pupil counts as missing.',
    ]);
  });

  test('a OneRoster 1.1 bundle has roles and schools in users.csv', () => {
    const file = read(
      changed((files) => {
        files['manifest.csv'] = (files['manifest.csv'] ?? '')
          .replace('"1.2"', '"1.1"')
          .replace('"file.roles","bulk"\r\n', '');
        delete files['roles.csv'];
        files['users.csv'] = [
          '"sourcedId","status","orgSourcedIds","role","givenName","familyName","email","grades"',
          '"a","active","org","Student","Ada","Bell","","03"',
          '"t","","trust, org","student","Tom","Price","","06"',
          '"s","","org","teacher","Jo","Reed","jo@oak.example",""',
          '"s2","","org","aide","Jo","Reed","Jo@Oak.example",""',
          '"x","","org","","Cy","Dunn","",""',
        ].join('\r\n');
        files['orgs.csv'] = '"sourcedId","name","type"\r\n"org","Oak","school"\r\n"trust","Oak Trust","district"';
      }),
    );
    expect(file).toMatchObject({
      isComplete: true,
      pupils: [{ name: 'Ada Bell', yearGroup: '3', classIds: ['k1'] }, { name: 'Tom Price' }, { name: null }],
      staff: [{ name: 'Jo Reed', email: 'jo@oak.example' }],
      unclearStaff: [],
      notes: ['users.csv, row 6: role is empty. The person was left out.'],
    });
  });

  test.each<[string, () => Buffer, RegExp]>([
    ['without a manifest', () => changed((files) => delete files['manifest.csv']), /no manifest/],
    ['of OneRoster 1.0', () => edit('manifest.csv', '1.2', '1.0'), /OneRoster 1\.1 or 1\.2/],
    ['of OneRoster 1.20', () => edit('manifest.csv', '1.2', '1.20'), /OneRoster 1\.1 or 1\.2/],
    ['without a stated file', () => changed((files) => delete files['enrollments.csv']), /states enrollments\.csv/],
    [
      'with a file stated as absent',
      () => edit('manifest.csv', '"file.classes","bulk"', '"file.classes","absent"'),
      /absent/,
    ],
    [
      'without users',
      () =>
        changed((files) => {
          files['manifest.csv'] = (files['manifest.csv'] ?? '').replace('"file.users","bulk"', '"file.users","absent"');
          delete files['users.csv'];
        }),
      /no users\.csv/,
    ],
    ['with a misspelt column', () => edit('users.csv', 'givenName', 'first'), /no column “givenName”/],
    ['without a column', () => edit('users.csv', /"familyName",/, ''), /no column “familyName”/],
    ['with an empty file', () => edit('enrollments.csv', /[^]+/, '\n'), /no column “classSourcedId”/],
    [
      'with too many rows',
      () => edit('enrollments.csv', /(?<=\r\n).+\r\n/, '$&'.repeat(100_000)),
      /enrollments\.csv has more than 100,000 rows/,
    ],
    [
      'with too many files',
      () =>
        changed((files) => {
          for (let n = 0; n < 101; n += 1) files[`${n}.txt`] = '';
        }),
      /more than 100 files/,
    ],
    [
      'that is too large unpacked',
      () => edit('users.csv', /$/, ' '.repeat(60 * 1024 * 1024)),
      /larger than 60 MB unpacked/,
    ],
    ['with users that are cut off', () => edit('users.csv', /,""$/, ''), /users\.csv has fewer cells.*cut off/],
    ['with roles that are cut off', () => edit('roles.csv', /,"org"$/, ''), /roles\.csv has fewer cells.*cut off/],
    ['with an open quotation mark', () => edit('users.csv', '"06"', '"06'), /not valid CSV|cut off/],
    ['with an ID twice', () => edit('users.csv', '"t"', '"a"'), /twice/],
    ['without an ID', () => edit('users.csv', '"t"', '""'), /no sourcedId/],
    ['without pupils', () => oneRosterBundle({ pupils: [] }), /no pupils/],
    [
      'of pupils who have all left',
      () => changed(() => undefined, { pupils: CONTENT.pupils.map((pupil) => ({ ...pupil, status: 'tobedeleted' })) }),
      /no pupils/,
    ],
    [
      'without a pupil who can be read',
      () => edit('roles.csv', /"student","org"/g, '"pupil","org"'),
      /no pupils in this file who can be read\. roles\.csv, row 2: role is not one/,
    ],
    ['that is cut off', () => oneRosterBundle(CONTENT).subarray(0, 900), /damaged/],
    [
      'that is binary',
      () =>
        changed((files) => {
          files['users.csv'] = '\u0000\u0001';
        }),
      /not a text file/,
    ],
    [
      'with 10,000 classes',
      () =>
        oneRosterBundle({
          pupils: Array.from({ length: 1000 }, (_, index) => ({
            id: `p${index}`,
            given: 'A',
            family: 'B',
            classes: Array.from({ length: 10 }, (__, own) => `k${index}-${own}`),
          })),
          classes: Array.from({ length: 10_000 }, (_, index) => ({
            id: `k${Math.floor(index / 10)}-${index % 10}`,
            title: `Class ${index}`,
          })),
        }),
      /500 classes/,
    ],
    [
      'that unpacks to 70 MB',
      () =>
        changed((files) => {
          files['users.csv'] = 'a'.repeat(70 * 1024 * 1024);
        }),
      /60 MB/,
    ],
    [
      'of 6,000 pupils',
      () =>
        oneRosterBundle({
          pupils: Array.from({ length: 6000 }, (_, index) => ({ id: `p${index}`, given: 'A', family: 'B' })),
        }),
      /5,000 pupils/,
    ],
  ])('a OneRoster bundle %s is rejected', (_, make, reason) => {
    expect(() => read(make())).toThrow(reason);
  });
});

describe('a Common Transfer File', () => {
  const ADA = {
    upn: 'B801200005001',
    forename: 'Ada',
    surname: 'Bell',
    birth: '2018-03-04',
    year: '3',
    className: '3W',
  };
  test('the fields of a Common Transfer File that the portal needs are read, and all others dropped', () => {
    expect(read(transferFile([ADA]))).toEqual({
      kind: 'ctf',
      isComplete: false,
      pupils: [
        {
          sourceId: null,
          name: 'Ada Bell',
          yearGroup: '3',
          classIds: ['3w'],
          upn: 'B801200005001',
          birthDate: '2018-03-04',
          isGone: false,
        },
      ],
      classes: [{ sourceId: '3w', name: '3W', isHomeroom: true }],
      staff: [],
      unclearStaff: null,
      notes: [],
    });
  });

  test('a file of school records may be in Windows-1252 or UTF-16', () => {
    const text = transferFile([{ ...ADA, forename: 'Zoë' }]);
    const latin = Buffer.from(text.replace('UTF-8', 'windows-1252'), 'latin1');
    expect(read(latin).pupils[0]?.name).toBe('Zoë Bell');
    const wide = Buffer.from(`\uFEFF${text.replace('UTF-8', 'UTF-16')}`, 'utf16le');
    expect(read(wide).pupils[0]?.name).toBe('Zoë Bell');
  });

  test('a Common Transfer File with a class for each of 5,000 pupils is rejected', () => {
    const pupils = Array.from({ length: 5000 }, (_, index) => ({ ...ADA, className: `Class ${index}` }));
    expect(() => read(transferFile(pupils))).toThrow(/500 classes/);
  });

  test('a Common Transfer File is read with a name across two chunks', () => {
    const file = transferFile([{ ...ADA, forename: 'Zoë' }]).replace('<Header>', `<Header>${' '.repeat(65_000)}`);
    for (let shift = 0; shift < 400; shift += 7)
      expect(read(file.replace('<Header>', `<Header>${' '.repeat(shift)}`)).pupils[0]?.name).toBe('Zoë Bell');
  });

  test('a pupil without a UPN and date of birth, or without a name, is left out of a Common Transfer File', () => {
    const file = read(
      transferFile([
        ADA,
        { upn: 'X801200005001', forename: 'No', surname: 'One' },
        { ...ADA, forename: ' ' },
        { ...ADA, upn: '', birth: '2018-13-04' },
        { ...ADA, upn: 'Z801200005000', birth: '?', year: 'Owls' },
      ]),
    );
    expect(file.pupils).toHaveLength(1);
    expect(file.notes).toEqual([
      'Pupil 2 in the file: it has neither a valid UPN nor a date of birth. The pupil was left out.',
      'Pupil 3 in the file: Forename is empty. The pupil was left out.',
      'Pupil 4 in the file: it has neither a valid UPN nor a date of birth. The pupil was left out.',
      'Pupil 5 in the file: it has neither a valid UPN nor a date of birth. The pupil was left out.',
    ]);
    const incomplete = read(transferFile([{ ...ADA, birth: '?', year: 'Owls' }]));
    expect(incomplete.pupils).toMatchObject([{ name: 'Ada Bell', birthDate: null, yearGroup: null }]);
    expect(incomplete.notes).toEqual([
      'Pupil 1 in the file: DOB is not a date of birth. The pupil was read without it.',
      'Pupil 1 in the file: NCyearActual is not a year group. The pupil was read without it.',
    ]);
  });

  test('a Common Transfer File may have the year group and class beside the basic details and in them', () => {
    const file = transferFile([ADA]).replace('<Sex>', '<NCyearActual>3</NCyearActual><RegGroup>3W</RegGroup><Sex>');
    expect(read(file).pupils).toMatchObject([{ yearGroup: '3', classIds: ['3w'] }]);
  });

  test.each([
    ['both', '<PreferredForename>Addie</PreferredForename><PreferredSurname>Hale</PreferredSurname>', 'Addie Hale'],
    ['a first name', '<PreferredForename>Addie</PreferredForename><PreferredSurname/>', 'Addie Bell'],
    ['a surname', '<PreferredForename> </PreferredForename><PreferredSurname>Hale</PreferredSurname>', 'Ada Hale'],
  ])('a Common Transfer File with %s that a pupil prefers falls back to the legal one', (_, preferred, name) => {
    const file = transferFile([ADA]).replace('<BasicDetails>', `<BasicDetails>${preferred}`);
    expect(read(file).pupils[0]?.name).toBe(name);
  });

  test('a Common Transfer File may have a prefix before each name', () => {
    const file = transferFile([ADA])
      .replaceAll(/<(\/?)(?=[A-Z])/g, '<$1ctf:')
      .replace('<ctf:CTfile>', '<ctf:CTfile xmlns:ctf="urn:x">');
    expect(read(file)).toEqual(read(transferFile([ADA])));
  });

  const transferred = transferFile([ADA]);
  test.each<[string, Record<string, string>]>([
    ['alone', { 'pupils.xml': transferred }],
    [
      'in a folder, beside what a Mac adds',
      { 'out/8232001_CTF.XML': transferred, '__MACOSX/out/._8232001_CTF.XML': 'x' },
    ],
    ['beside other files', { 'pupils.xml': transferred, 'read me.txt': 'Hello' }],
  ])('a Common Transfer File in a ZIP file is read %s', (_, files) => {
    expect(read(zip(files))).toEqual(read(transferred));
  });

  test('a ZIP file with several XML files, with one that is damaged or with none is rejected', () => {
    expect(() => read(zip({ 'a.xml': transferred, 'b.xml': transferred }))).toThrow(/must contain one XML file/);
    expect(() => read(zip({ 'a.txt': transferred }))).toThrow(/must contain one XML file/);
    const damaged = zip({ 'a.xml': transferred });
    damaged.fill(0, 60, 90);
    expect(() => read(damaged)).toThrow(/damaged/);
    const large = `<Notes>${'x'.repeat(51 * 1024 * 1024)}</Notes>`;
    expect(() => read(zip({ 'a.xml': large }))).toThrow(/larger than 50 MB unpacked/);
  });

  test('an Admissions Transfer File has pupils without a class, and from January to July without a year group', () => {
    const offers = transferFile([ADA, { ...ADA, upn: '', forename: 'Ivy' }])
      .replaceAll('CTfile', 'ATfile')
      .replaceAll('CTFpupilData', 'ATFpupilData');
    const inNovember = read(offers);
    expect(inNovember).toMatchObject({ kind: 'atf', isComplete: false, classes: [] });
    expect(inNovember.notes).toEqual([expect.stringContaining('Some may not come')]);
    expect(inNovember.pupils).toMatchObject([
      { name: 'Ada Bell', classIds: [], yearGroup: '3' },
      { name: 'Ivy Bell', upn: null, birthDate: '2018-03-04' },
    ]);
    const yearIn = (today: string) =>
      readSchoolRecords({ content: Buffer.from(offers), today, school: null }).file?.pupils[0]?.yearGroup;
    expect([yearIn('2027-07-31'), yearIn('2027-08-01')]).toEqual([null, '3']);
  });

  const WITH_TYPE = (declaration: string) =>
    transferFile([ADA]).replace('<CTfile>', `<!DOCTYPE CTfile [${declaration}]><CTfile>`).replace('Bell', '&x;');
  test.each<[string, string, RegExp]>([
    ['with an external entity', WITH_TYPE('<!ENTITY x SYSTEM "file:///etc/passwd">'), /document type/],
    ['with a billion laughs', WITH_TYPE('<!ENTITY a "ha"><!ENTITY x "&a;&a;&a;">'), /document type/],
    ['with a parameter entity', WITH_TYPE('<!ENTITY % x SYSTEM "http://127.0.0.1/x.dtd"> %x;'), /document type/],
    ['with an unknown entity', transferFile([ADA]).replace('Bell', '&x;'), /not valid XML/],
    ['that is cut off', transferFile([ADA]).slice(0, -20), /not valid XML/],
    ['of another kind', '<html><body></body></html>', /neither/],
    ['that is nested deeply', `<CTfile>${'<a>'.repeat(100)}`, /nested/],
    ['without pupils', transferFile([]), /no pupils/],
    ['that is empty', '', /not valid XML/],
  ])('an XML file %s is rejected', (_, content, reason) => {
    expect(() => read(content)).toThrow(reason);
  });

  test('a Common Transfer File in a wrong encoding is rejected', () => {
    const content = Buffer.from(transferFile([{ ...ADA, forename: 'Zoë' }]), 'latin1');
    expect(() => read(content)).toThrow(/encoding/);
  });

  test('a Common Transfer File of 6,000 pupils is rejected', () => {
    expect(() => read(transferFile(Array.from({ length: 6000 }, () => ADA)))).toThrow(/5,000 pupils/);
  });
});

describe('an upload', () => {
  const app = testApp();
  let school: BuiltSchool;
  beforeAll(async () => {
    school = await app.build.school();
  });
  const planFile = (content: Uint8Array | string) =>
    app.call(schoolRecordsCalls.planSchoolRecords, {
      params: { id: school.id },
      token: school.admin.token,
      file: { name: 'file', content },
    });

  test('an upload of 49 MB is read in a worker', async () => {
    const padding = `<Notes>${'x'.repeat(1000)}</Notes>`.repeat(48_500);
    const file = transferFile([{ forename: 'Ada', surname: 'Bell', birth: '2018-03-04' }]).replace(
      '<Sex>',
      `${padding}<Sex>`,
    );
    expect((await planFile(file)).status).toBe(200);
  });

  test('an upload of more than 50 MB is rejected', async () => {
    const { status, error } = await planFile(Buffer.alloc(51 * 1024 * 1024));
    expect([status, error.error]).toEqual([413, 'The file is too large. The limit is 50 MB.']);
  });

  test('an upload that cannot be read answers why, and stores nothing', async () => {
    const { status, error } = await planFile('<html></html>');
    expect(status).toBe(422);
    expect(error.error).toContain('neither a OneRoster bundle nor a Common Transfer File or Admissions Transfer File');
  });

  test('an upload with a pupil twice is rejected', async () => {
    const pupil = { forename: 'Ada', surname: 'Bell', birth: '2018-03-04' };
    expect((await planFile(transferFile([pupil, { ...pupil, surname: 'BELL' }]))).error.error).toContain('twice');
  });
});
