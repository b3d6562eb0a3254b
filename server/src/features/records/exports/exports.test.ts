import { chartCalls } from '#contract/calls/charts.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { readWorkbook } from '../../../spreadsheets/workbook.ts';
import { listZip, unzip } from '../../../spreadsheets/zip.ts';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
const at = () => ({ params: { id: school.id } });

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
  admin = { token: school.admin.token };
});

/** The rows of each sheet as texts. */
const sheetsOf = (content: Uint8Array) =>
  Object.fromEntries(
    readWorkbook({ name: 'table.xlsx', content }).sheets.map(({ name, rows }) => [
      name,
      rows.map(({ cells }) => cells),
    ]),
  );
/** The files of a zip archive by name. */
const unpack = (bytes: Uint8Array) => {
  const content = Buffer.from(bytes);
  return new Map((listZip(content) ?? []).map((entry) => [entry.name, unzip(content, entry) ?? Buffer.alloc(0)]));
};

describe('files of lists', () => {
  test('the files of classes and teachers contain what the lists contain, and explain their columns', async () => {
    const { token } = school.teacher;
    await app.build.assign(school, { classId: school.ownClass.id }, [101, 102]);
    await app.call(classCalls.addClassTeacher, {
      params: { id: school.id, groupId: school.ownClass.id, userId: school.admin.id },
      ...admin,
    });
    const classes = await app.call(downloadCalls.exportClasses, { ...at(), query: {}, token });
    expect(classes.headers['content-disposition']).toContain('classes.xlsx');
    expect(sheetsOf(classes.bytes)).toMatchObject({
      Classes: [
        ['Class', 'Teachers', 'Pupils', 'Books'],
        ['Year 3 Wrens', 'Morgan Teacher, Morgan Admin', '2', '2'],
        ['Year 5 Swifts', '', '1', '0'],
      ],
      'About this file': expect.arrayContaining([
        [`Classes of ${school.name}, 18 November 2026`],
        ['Teachers: the class’s first teacher comes first.'],
      ]),
    });
    const teachers = await app.call(downloadCalls.exportTeachers, { ...at(), query: { output: 'csv' }, token });
    const lines = teachers.text.split('\r\n');
    expect(lines.slice(0, 3)).toEqual([
      '\uFEFFEmail,Name,Role,Classes',
      `${school.admin.email},Morgan Admin,Admin,Year 3 Wrens`,
      `${school.teacher.email},Morgan Teacher,Teacher,Year 3 Wrens`,
    ]);
    expect(lines.slice(3, 5)).toEqual(['', `"Teachers of ${school.name}, 18 November 2026"`]);
  });

  test('a name in a file never runs as a formula', async () => {
    const name = '=HYPERLINK("http://evil.example")';
    await app.call(classCalls.renameClass, {
      params: { id: school.id, groupId: school.ownClass.id },
      body: { name },
      ...admin,
    });
    const csv = await app.call(downloadCalls.exportClasses, { ...at(), query: { output: 'csv' }, ...admin });
    expect(csv.text).toContain(`"'=HYPERLINK(""http://evil.example"")"`);
    const xlsx = await app.call(downloadCalls.exportClasses, { ...at(), query: {}, ...admin });
    const { bytes } = xlsx;
    const sheet = unpack(bytes).get('xl/worksheets/sheet1.xml')?.toString();
    expect(sheet).not.toContain('<f>');
    expect(sheetsOf(bytes)['Classes']?.[1]?.[0]).toBe(name);
  });

  test('the file of pupils states its filters', async () => {
    const { bytes } = await app.call(downloadCalls.exportPupils, {
      ...at(),
      query: { groups: `${school.ownClass.id},none`, not_read_days: '7', search: 'ada', level: '2' },
      ...admin,
    });
    expect(sheetsOf(bytes)['About this file']?.flat()).toEqual(
      expect.arrayContaining([
        'Filter: name or username has ada.',
        'Filter: class: Year 3 Wrens, without a class.',
        'Filter: not read for 7 days.',
        'Filter: last reading on level 2.',
      ]),
    );
    const about = async (token: string) =>
      sheetsOf(
        (
          await app.call(downloadCalls.exportPupils, {
            ...at(),
            query: { groups: 'mine', not_read_since: '2026-11-15T23:59:59Z' },
            token,
          })
        ).bytes,
      )['About this file']?.flat();
    const since = 'Filter: not read since 15 November 2026.';
    expect(await about(school.teacher.token)).toEqual(expect.arrayContaining(['Filter: class: Year 3 Wrens.', since]));
    const ofAdmin = await about(admin.token);
    expect(ofAdmin).toContain(since);
    expect(ofAdmin?.join()).not.toContain('class: ');
  });
});

describe('files of reading and invoices', () => {
  const WEEKS = ['2026-10-12', '2026-10-19', '2026-10-26', '2026-11-02', '2026-11-09', '2026-11-16'];

  test('the file of a class contains the last six weeks of each pupil', async () => {
    const [ada] = school.ownClass.pupils;
    await app.build.reading(school, ada!.id, [
      { started_at: '2026-11-10T10:00:00Z', reading_time: 600, words_attempted: 100, words_correct: 80, book_id: 101 },
      { started_at: '2026-11-17T10:00:00Z', reading_time: 290, words_attempted: 100, words_correct: 99, book_id: 101 },
    ]);
    const params = { id: school.id, groupId: school.ownClass.id };
    const { token } = school.teacher;
    const { bytes, headers } = await app.call(downloadCalls.exportClassReading, { params, query: {}, token });
    expect(headers['content-disposition']).toContain('class-reading.xlsx');
    const sheets = sheetsOf(bytes);
    expect(sheets['Reading']).toEqual([
      [
        'Name',
        'Last read',
        'Minutes this week',
        'Accuracy %',
        'Words',
        'Level',
        ...WEEKS.map((day) => `Minutes, week of ${day}`),
      ],
      ['Ada Baker', '2026-11-17', '5', '89', '200', '1', '0', '0', '0', '0', '10', '5'],
      ['Zoë Łukasik', '', '0', '', '0', '', '0', '0', '0', '0', '0', '0'],
    ]);
    expect(sheets['About this file']?.[0]).toEqual([`Reading of Year 3 Wrens of ${school.name}, 18 November 2026`]);
    const foreign = { id: school.id, groupId: school.otherClass.id };
    expect((await app.call(downloadCalls.exportClassReading, { params: foreign, query: {}, token })).status).toBe(200);
  });

  test('the file of a pupil contains only the sessions of the range', async () => {
    const [ada] = school.ownClass.pupils;
    await app.build.reading(school, ada!.id, [
      { started_at: '2026-10-01T10:00:00Z', reading_time: 60, words_attempted: 10, words_correct: 9, book_id: 102 },
      { started_at: '2026-11-10T23:30:00Z', reading_time: 600, words_attempted: 100, words_correct: 80, book_id: 101 },
      { started_at: '2026-11-17T10:00:00Z', reading_time: 290, words_attempted: 0, words_correct: 0, book_id: 205 },
    ]);
    const ask = (query: object) =>
      app.call(downloadCalls.exportPupilSessions, {
        params: { id: school.id, readerId: ada!.id },
        query,
        token: school.teacher.token,
      });
    const range = { start_time: '2026-11-01T00:00:00Z', end_time: '2026-11-16T23:59:59Z' };
    const lines = (await ask({ ...range, output: 'csv' })).text.split('\r\n');
    expect(lines.slice(0, 4)).toEqual([
      '\uFEFFBook,Date,Minutes read,Accuracy %,Completed,Note',
      expect.stringMatching(/,2026-11-10,10,80,No,$/),
      '',
      `"Reading sessions of Ada Baker of ${school.name}, 18 November 2026"`,
    ]);
    expect(lines[4]).toContain('From 1 November 2026 to 16 November 2026');
    const all = sheetsOf((await ask({})).bytes)['Reading sessions'] ?? [];
    expect(all.slice(1).map(([, day, , accuracy, , note]) => [day, accuracy, note])).toEqual([
      ['2026-11-17', '', 'Too short to count as reading'],
      ['2026-11-10', '80', ''],
      ['2026-10-01', '90', ''],
    ]);
    expect((await ask({ start_time: range.end_time, end_time: range.start_time })).status).toBe(422);
    const log = await app.call(schoolCalls.listAuditLog, { ...at(), ...admin });
    expect(log.reply.entries[0]).toMatchObject({
      action: 'pupil_sessions_exported',
      subject_kind: 'pupil',
      subject_id: String(ada!.id),
      details: { file: 'reading-sessions.xlsx' },
    });
    expect(log.reply.entries[0]?.pupils?.first[0]?.name).toBe('Ada Baker');
  });

  test('the file of invoices is for admins, and states what was charged and when', async () => {
    const { number } = await app.build.invoice(school, 15_000);
    const { text } = await app.call(downloadCalls.exportSchoolInvoices, {
      ...at(),
      query: { output: 'csv' },
      ...admin,
    });
    expect(text.split('\r\n').slice(0, 3)).toEqual([
      '\uFEFFInvoice,Issued,Due,Status,Total with VAT £',
      `${number},2026-11-18,2026-12-18,Unpaid,180`,
      '',
    ]);
    const rejected = await app.call(downloadCalls.exportSchoolInvoices, {
      ...at(),
      query: {},
      token: school.teacher.token,
    });
    expect(rejected.status).toBe(403);
  });
});

test('a chart as a spreadsheet states its subject and dates, and explains its figures', async () => {
  await app.build.reading(school, school.ownClass.pupils[0]!.id, [{ reading_time: 120, book_id: 101 }]);
  const ask = (classId: number | undefined, output: 'xlsx' | 'csv', token: string) =>
    app.call(chartCalls.getChart, {
      query: {
        name: 'readers_reading_time_by_reading_level',
        start_date: '2026-11-16',
        end_date: '2026-11-18',
        output,
        ...(classId !== undefined && { group_id: String(classId) }),
      },
      token,
    });
  const { bytes, headers } = await ask(school.ownClass.id, 'xlsx', admin.token);
  expect(headers['content-disposition']).toContain('readers_reading_time_by_reading_level_2026-11-16_2026-11-18.xlsx');
  expect(sheetsOf(bytes)).toEqual({
    'Reading time by pupil': [
      ['Pupil', 'Level 1', 'Total'],
      ['Ada Baker', '120', '120'],
      ['Zoë Łukasik', '0', '0'],
    ],
    'About this file': [
      ['Reading time by pupil: Year 3 Wrens, 2026-11-16 to 2026-11-18'],
      [expect.stringContaining('Figures in seconds')],
      ['Counts the current pupils, each in their current class.'],
    ],
  });
  const own = sheetsOf((await ask(undefined, 'xlsx', school.teacher.token)).bytes);
  expect(own['About this file']?.[0]?.[0]).toContain('All my classes');
  expect((await ask(undefined, 'csv', school.teacher.token)).text).not.toContain('seconds');
});

describe('the zip of a school', () => {
  const download = async (token = admin.token) => {
    const { status, headers, bytes } = await app.call(downloadCalls.exportSchool, { ...at(), token });
    return { status, name: headers['content-disposition'], files: unpack(bytes) };
  };

  test('the exported school gives another school that imports it the same pupils and classes', async () => {
    // Difficult names: accents, an apostrophe, a leading hyphen, one in two classes, one without a class.
    const body = {
      readers: [
        { name: '-Ada Hyphen', class: 'Year 1 “Ünïcorns”, red' },
        { name: 'Ada Baker', class: 'Year 5 Swifts', namesake: true },
        { name: 'Thị Ánh Nguyễn' },
      ],
    };
    expect((await app.call(pupilImportCalls.createPupils, { ...at(), body, ...admin })).status).toBe(200);
    const { name, files } = await download();
    expect(name).toContain('school-2026-11-18.zip');
    const empty = await app.build.emptySchool();
    const into = { params: { id: empty.id }, token: empty.admin.token };
    const pupils = { name: 'pupils.xlsx', content: files.get('pupils.xlsx') ?? Buffer.alloc(0) };
    const seen = await app.call(pupilImportCalls.previewPupils, { ...into, file: pupils });
    expect(seen.reply.counts).toEqual({ new: 7, already: 0, moved: 0, archived: 0, duplicate: 0, wrong: 0 });
    expect((await app.call(pupilImportCalls.createPupils, { ...into, file: pupils })).status).toBe(200);
    const people = async (id: number, token: string) => {
      const { enterprise: whole } = (
        await app.call(schoolCalls.getSchool, { params: { id }, query: { include: 'readers' }, token })
      ).reply;
      return {
        classes: whole.groups.map((schoolClass) => [schoolClass.name, schoolClass.readers_count]).sort(),
        pupils: whole.readers?.map((pupil) => [pupil.name, pupil.group?.name]).sort(),
      };
    };
    const before = await people(school.id, admin.token);
    expect(before.pupils).toHaveLength(7);
    expect(await people(empty.id, empty.admin.token)).toEqual(before);
  });

  test('the exported staff can be imported again to invite the school’s teachers', async () => {
    const { files } = await download();
    const empty = await app.build.emptySchool();
    const { reply } = await app.call(inviteCalls.sendInvites, {
      params: { id: empty.id },
      file: { name: 'teachers.xlsx', content: files.get('teachers.xlsx') ?? Buffer.alloc(0) },
      token: empty.admin.token,
    });
    expect([...reply.sent, ...reply.failed].map(({ email, name }) => [email, name]).sort()).toEqual(
      [
        [school.admin.email, 'Morgan Admin'],
        [school.teacher.email, 'Morgan Teacher'],
      ].sort(),
    );
  });

  test('the zip of a school states what each pupil read, one row per school year, and contains no password', async () => {
    const [ada] = school.ownClass.pupils;
    const session = { words_attempted: 30, words_correct: 29, last_page: 9, has_completed_book: true };
    await app.build.reading(school, ada!.id, [
      // The last evening of a school year, in London, and the first morning of the next.
      { ...session, started_at: '2026-08-31T22:30:00Z', reading_time: 120, book_id: 101 },
      { ...session, started_at: '2026-08-31T23:30:00Z', reading_time: 90, book_id: 101 },
      { ...session, started_at: '2026-11-17T10:00:00Z', reading_time: 90, book_id: 101 },
      { ...session, started_at: '2026-11-18T10:00:00Z', reading_time: 60, book_id: 102 },
    ]);
    await app.build.program(school, { scopes: ['read_reading', 'books'], classIds: [school.ownClass.id] });
    const { files } = await download();
    expect([...files.keys()].sort()).toEqual([
      'README.txt',
      'classes.xlsx',
      'programs.xlsx',
      'pupils.xlsx',
      'reading.xlsx',
      'teachers.xlsx',
    ]);
    expect(sheetsOf(files.get('programs.xlsx')!)['Programs']).toEqual([
      ['Name', 'What it can do', 'Classes', 'Made by', 'Made on', 'Answered for by', 'Last used', 'Ends'],
      [
        'Warehouse',
        'See reading, Assign books',
        'Year 3 Wrens',
        'Morgan Admin',
        expect.any(String),
        'Morgan Admin',
        '',
        expect.any(String),
      ],
    ]);
    expect(files.get('README.txt')?.toString()).toContain('none of these files contains passwords');
    const [head, ...rows] = sheetsOf(files.get('reading.xlsx')!)['Reading'] ?? [];
    expect(head).toContain('School year');
    expect(rows.map(([name, schoolClass, , ...rest]) => [name, schoolClass, ...rest])).toEqual([
      ['Ada Baker', 'Year 3 Wrens', '2025/26', '2', '30', '29', '96', '1'],
      ['Ada Baker', 'Year 3 Wrens', '2026/27', '4', '90', '87', '96', '2'],
      ['Zoë Łukasik', 'Year 3 Wrens', '', '0', '0', '0', '', '0'],
      ["Finn O'Hara", 'Year 5 Swifts', '', '0', '0', '0', '', '0'],
      ['Mina Rahman', '', '', '0', '0', '0', '', '0'],
    ]);
    const log = await app.call(schoolCalls.listAuditLog, { ...at(), ...admin });
    expect(log.reply.entries[0]).toMatchObject({
      action: 'school_exported',
      actor: { id: school.admin.id },
      details: { file: 'school-2026-11-18.zip' },
    });
  });

  test('the zip of a school is for admins', async () => {
    const { status } = await app.call(downloadCalls.exportSchool, { ...at(), token: school.teacher.token });
    expect(status).toBe(403);
  });
});
