import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilImportCalls, type ImportRowInput } from '#contract/calls/pupil-import.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { read, utils } from '@e965/xlsx';
import { beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };
let teacher: { token: string };

beforeEach(async () => {
  school = await app.build.school();
  admin = { token: school.admin.token };
  teacher = { token: school.teacher.token };
});

type Who = { token: string };
const params = () => ({ id: school.id });
const csv = (content: string) => ({ file: { name: 'pupils.csv', content } });
const add = (pupils: ImportRowInput[], who: Who = admin) =>
  app.call(pupilImportCalls.createPupils, { params: params(), body: { readers: pupils }, ...who });
const preview = (pupils: ImportRowInput[], who: Who = admin) =>
  app.call(pupilImportCalls.previewPupils, { params: params(), body: { readers: pupils }, ...who });
const names = (count: number, stem = 'Pupil') =>
  Array.from({ length: count }, (_, n) => ({
    name: `${stem} ${String.fromCharCode(97 + (n % 26))}${String.fromCharCode(97 + Math.floor(n / 26))}`,
  }));

const countPupils = async () =>
  (
    await app.database.kysely
      .selectFrom('pupils')
      .select(sql<number>`count(*)`.as('n'))
      .where('school_id', '=', school.id)
      .executeTakeFirstOrThrow()
  ).n;

async function fetchLogins(link: string, who: Who): Promise<Record<string, string>[]> {
  const { status, bytes } = await app.call(loginCardCalls.getFile, {
    params: { token: new URL(link).pathname.split('/').at(-1) as string },
    ...who,
  });
  expect(status).toBe(200);
  const book = read(bytes, { type: 'buffer' });
  return utils.sheet_to_json(book.Sheets[book.SheetNames[0] as string] as never, { defval: '' });
}

describe('the preview', () => {
  test('the preview returns the status of each row and writes nothing', async () => {
    const text =
      'Class\tPupil\nYear 3 Wrens\tAda Baker\nRobins\tGrace Hopper\nRobins\tGrace Hopper\n\tMina Rahman\nRobins\tR2D2\n';
    const { reply } = await app.call(pupilImportCalls.previewPupils, { params: params(), body: { text }, ...admin });
    expect(reply.understood.format).toBe('text');
    expect(reply.understood.sheets[0]?.columns.map(({ letter, header, role }) => [letter, header, role])).toEqual([
      ['A', 'Class', 'class'],
      ['B', 'Pupil', 'name'],
    ]);
    expect(reply.rows.map(({ row, status, reason }) => [row, status, reason])).toEqual([
      [2, 'already', 'Ada Baker is already in Year 3 Wrens.'],
      [3, 'new', null],
      [4, 'duplicate', 'Row 3 is the same pupil.'],
      [5, 'already', 'Mina Rahman is already in your school without a class.'],
      [6, 'wrong', 'A name has only letters, hyphens, apostrophes, full stops and spaces.'],
    ]);
    expect(reply).toMatchObject({
      counts: { new: 1, already: 2, moved: 0, archived: 0, duplicate: 1, wrong: 1 },
      new_classes: ['Robins'],
      capacity: { max_readers: 120, used: 4, left: 116 },
      fits: true,
    });
    expect(await countPupils()).toBe(4);
  });

  test('the preview uses the roles of columns that the user chose', async () => {
    const content = 'Alpha,Beta\nJane,Owls\n';
    const seen = async (body: object) =>
      (
        await app.call(pupilImportCalls.previewPupils, { params: params(), body, ...csv(content), ...admin })
      ).reply.rows?.map(({ name, class: className }) => [name, className]);
    expect(await seen({ roles: 'name,class' })).toEqual([
      ['Alpha', 'Beta'],
      ['Jane', 'Owls'],
    ]);
    expect(await seen({ roles: 'last_name,first_name' })).toEqual([
      ['Beta Alpha', null],
      ['Owls Jane', null],
    ]);
  });

  test('the preview puts all pupils in the class that the request names and ignores the class column', async () => {
    const { reply } = await app.call(pupilImportCalls.previewPupils, {
      params: params(),
      body: { group_id: school.ownClass.id },
      ...csv('Name,Class\nJane Eyre,Owls\n'),
      ...teacher,
    });
    expect(reply.rows[0]).toMatchObject({ class: 'Year 3 Wrens', status: 'new' });
    expect(reply.understood.sheets[0]).toMatchObject({
      class_from: 'chosen',
      note: 'The class column was left out, because a class was chosen for all.',
    });
  });

  test('the preview reports that places are missing', async () => {
    const { reply } = await preview(names(117));
    expect(reply).toMatchObject({ fits: false, capacity: { left: 116 }, counts: { new: 117 } });
  });

  test('the preview requires a file, text or rows', async () => {
    const { status, error } = await app.call(pupilImportCalls.previewPupils, { params: params(), body: {}, ...admin });
    expect({ status, errors: error.errors }).toEqual({
      status: 422,
      errors: { readers_file: ['Choose a file, or paste the names.'] },
    });
  });
});

describe('a list with a question', () => {
  const file = {
    name: 'pupils.csv',
    content: 'Name,Class\nGrace Hopper,05-Jun\nEdie Marsh,05-Jun\nTom Price,03-Apr\n',
  };
  const send = (answers?: string) =>
    app.call(pupilImportCalls.createPupils, {
      params: params(),
      file,
      body: { ...(answers && { answers }) },
      ...admin,
    });

  test('a list is added only after each question that must be answered has been', async () => {
    const before = await countPupils();
    const { error, status } = await send('date:05-Jun=class');
    expect({ status, code: error.code }).toEqual({ status: 422, code: 'file_has_questions' });
    expect(error.errors?.answers).toEqual([expect.stringContaining('date:03-Apr: ')]);
    expect(await countPupils()).toBe(before);
    // Browsers send line breaks of forms so.
    const { reply } = await send('date:05-Jun=class\r\ndate:03-Apr=text');
    expect(reply.meta).toMatchObject({ created: 3, classes_created: ['5/6', '03-Apr'] });
  });

  test('the preview shows what was assumed, and which questions are open', async () => {
    const { reply } = await app.call(pupilImportCalls.previewPupils, {
      params: params(),
      file,
      body: { answers: 'date:03-Apr=text' },
      ...admin,
    });
    expect(reply.understood.questions.map(({ id, answer, is_answered }) => [id, answer, is_answered])).toEqual([
      ['date:05-Jun', 'class', false],
      ['date:03-Apr', 'text', true],
    ]);
    expect(reply.rows.map((row) => row.class)).toEqual(['5/6', '5/6', '03-Apr']);
  });
});

describe('an import', () => {
  test('an import creates pupils, classes and working logins once', async () => {
    const file = csv('Surname,Forename,Class\nSmith,Jane,Year 3 Wrens\nNguyễn,Thị Ánh,Owls\nBaker,Ada,\nLee,Bo,\n');
    const first = await app.call(pupilImportCalls.createPupils, { params: params(), ...file, ...admin });
    expect(first.reply.meta).toEqual({ created: 3, already: 1, duplicates: 0, classes_created: ['Owls'], moved: 0 });
    expect(
      first.reply.readers.map((pupil) => [pupil.name, pupil.username.replace(/\d+$/, ''), pupil.group?.name ?? null]),
    ).toEqual([
      ['Jane Smith', 'jane-smith', 'Year 3 Wrens'],
      ['Thị Ánh Nguyễn', 'thi-nguyen', 'Owls'],
      ['Bo Lee', 'bo-lee', null],
    ]);
    const logins = await fetchLogins(first.reply.links?.spreadsheet ?? '', admin);
    expect(logins.map(({ Name }) => Name)).toEqual(['Jane Smith', 'Thị Ánh Nguyễn', 'Bo Lee']);
    for (const { Username = '', Password = '' } of logins) {
      expect(Password).toMatch(/^[a-hjkmnp-z]{3,5}-[a-hjkmnp-z]{3,5}[2-9]{2}$/);
      expect(
        (await app.call(readingAppCalls.logInPupil, { body: { username: Username.toUpperCase(), password: Password } }))
          .status,
      ).toBe(200);
    }
    const again = await app.call(pupilImportCalls.createPupils, { params: params(), ...file, ...admin });
    expect(again.reply).toMatchObject({
      links: null,
      readers: [],
      meta: { created: 0, already: 4, classes_created: [] },
    });
    expect(await countPupils()).toBe(7);
  });

  test('an import never stores a password in plain text', async () => {
    const { reply } = await add([{ name: 'Grace Hopper' }]);
    const [login] = await fetchLogins(reply.links?.spreadsheet ?? '', admin);
    const password = login?.Password ?? 'none';
    const { rows: tables } = await sql<{
      table_name: string;
    }>`select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
      app.database.kysely,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { table_name } of tables) {
      const { rows } =
        await sql`select 1 from ${sql.table(table_name)} t where t::text like ${`%${password}%`}`.execute(
          app.database.kysely,
        );
      expect({ table_name, found: rows.length }).toEqual({ table_name, found: 0 });
    }
  });

  test('an import fails as a whole because of one invalid row, and names the row', async () => {
    const { status, error } = await app.call(pupilImportCalls.createPupils, {
      params: params(),
      ...csv('Name,Class\nGood Name,New Class\n\n=cmd|x,A\nX,B\n'),
      ...admin,
    });
    expect(status).toBe(422);
    expect(error.errors).toEqual({
      'row 4': ['This looks like a formula, not a name. Type the name itself.'],
      'row 5': ['A name has at least 2 letters.'],
    });
    expect(error.error).toBe(
      'row 4: This looks like a formula, not a name. Type the name itself. row 5: A name has at least 2 letters. No pupils were added.',
    );
    const json = await add([{ name: 'Good Name' }, { name: 'R2D2' }, { name: 'Fine Too', group_id: 999_999 }]);
    expect(json.error.errors).toEqual({
      'readers.1.name': ['A name has only letters, hyphens, apostrophes, full stops and spaces.'],
      'readers.2.class': ['We could not find this class in your school.'],
    });
    expect(await countPupils()).toBe(4);
  });

  test('an import skips rows without a name, and requires a name when all are empty', async () => {
    expect((await add([{ name: '' }, { name: 'Grace Hopper' }, { name: '  ' }])).reply.meta.created).toBe(1);
    const { status, error } = await add([{ name: ' ' }]);
    expect({ status, errors: error.errors }).toEqual({
      status: 422,
      errors: { readers: ['Enter the name of at least one pupil.'] },
    });
  });

  test('an import uses an existing class whose name looks like a formula, and creates no such class', async () => {
    await app.build.newClass(school, '=Wrens');
    const { reply } = await add([{ name: 'Edie Marsh', class: '=Wrens' }]);
    expect(reply.readers[0]?.group?.name).toBe('=Wrens');
    expect((await add([{ name: 'Otto Marsh', class: '=Swifts' }])).status).toBe(422);
  });

  test('an import creates a namesake for a row marked as one', async () => {
    expect((await add([{ name: 'Ada Baker' }])).reply.meta).toMatchObject({ created: 0, already: 1 });
    const { reply } = await add([{ name: 'Ada Baker', namesake: true }]);
    expect(reply.meta.created).toBe(1);
    expect(reply.readers[0]?.username).toMatch(/^ada-baker\d*$/);
    // Both exist now, and two rows match one each.
    expect(
      (await preview([{ name: 'Ada Baker' }, { name: 'Ada Baker', class: 'Year 3 Wrens' }])).reply.counts,
    ).toMatchObject({ already: 2 });
  });

  test('an import repeated under one Idempotency-Key adds its pupils once', async () => {
    const send = () =>
      app.call(pupilImportCalls.createPupils, {
        params: params(),
        ...csv('Name\nGrace Hopper\n'),
        ...admin,
        headers: { 'idempotency-key': 'import-these-once' },
      });
    const first = await send();
    expect((await send()).reply).toEqual(first.reply);
    const rejection = await app.call(pupilImportCalls.createPupils, {
      params: params(),
      ...csv('Name\nAnother Child\n'),
      ...admin,
      headers: { 'idempotency-key': 'import-these-once' },
    });
    expect(rejection.status).toBe(409);
  });

  test('an import is in the audit log with IDs and without names and passwords', async () => {
    const { reply } = await add([{ name: 'Grace Hopper', class: 'Robins' }]);
    const rows = await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_user_id', 'details'])
      .where('school_id', '=', school.id)
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(['class_created', 'pupils_created']);
    expect(rows[1]).toMatchObject({
      actor_user_id: school.admin.id,
      details: { pupils: reply.readers.map(({ id }) => id) },
    });
  });
});

describe('the capacity of the subscription', () => {
  test('the capacity limits an import, and the error says who can buy places', async () => {
    const small = await app.build.school({ maxPupils: 6 });
    for (const [role, who, end] of [
      ['teacher', small.teacher, 'contact your school administrator to upgrade your package'],
      ['admin', small.admin, 'click here to upgrade'],
    ] as const) {
      const { status, error } = await app.call(pupilImportCalls.createPupils, {
        params: { id: small.id },
        body: { readers: names(3) },
        token: who.token,
      });
      expect({ status, ...error }).toEqual({
        status: 422,
        error: `Your current subscription only has capacity for 2 new readers, ${end}`,
        error_type: 'capacity',
        code: `max-readers-reached:${role}:2`,
      });
    }
    expect(
      (
        await app.call(pupilImportCalls.createPupils, {
          params: { id: small.id },
          body: { readers: names(2) },
          token: small.admin.token,
        })
      ).status,
    ).toBe(200);
  });

  test('a package of 999 places has no capacity', async () => {
    const large = await app.build.school({ maxPupils: 999 });
    const { reply } = await app.call(pupilImportCalls.previewPupils, {
      params: { id: large.id },
      body: { readers: names(600) },
      token: large.admin.token,
    });
    expect(reply).toMatchObject({ fits: true, capacity: { max_readers: null, left: null } });
  });

  test('concurrent imports cannot exceed the capacity', async () => {
    const small = await app.build.school({ maxPupils: 14 });
    // One user can send three files at the same time.
    const colleague = await app.build.staff(small, 'admin');
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        app.call(pupilImportCalls.createPupils, {
          params: { id: small.id },
          body: { readers: names(4, `Child ${String.fromCharCode(97 + n)}b`) },
          token: n < 3 ? small.admin.token : colleague.token,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422, 422]);
    const { n } = await app.database.kysely
      .selectFrom('pupils')
      .select(sql<number>`count(*)`.as('n'))
      .where('school_id', '=', small.id)
      .executeTakeFirstOrThrow();
    expect(n).toBe(12);
  });

  test('the same file sent several times concurrently adds its pupils once', async () => {
    const colleague = await app.build.staff(school, 'admin');
    const answers = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        app.call(pupilImportCalls.createPupils, {
          params: params(),
          ...csv('Name,Class\nGrace Hopper,Robins\nAlan Turing,Robins\n'),
          ...(n < 3 ? admin : { token: colleague.token }),
        }),
      ),
    );
    expect(answers.map(({ reply }) => reply.meta?.created).sort()).toEqual([0, 0, 0, 2]);
    expect(await countPupils()).toBe(6);
  });
});

describe('a teacher', () => {
  test('a teacher adds pupils to the school, to their own classes and to new ones, of which they become the teacher', async () => {
    const { reply } = await add(
      [
        { name: 'Grace Hopper' },
        { name: 'Alan Turing', class: 'year 3 wrens' },
        { name: 'Mary Anning', class: 'Robins' },
      ],
      teacher,
    );
    expect(reply.readers.map((pupil) => pupil.group?.name ?? null)).toEqual([null, 'Year 3 Wrens', 'Robins']);
    const robins = await app.database.kysely
      .selectFrom('classes')
      .select('manager_id')
      .where('school_id', '=', school.id)
      .where('name', '=', 'Robins')
      .executeTakeFirstOrThrow();
    expect(robins.manager_id).toBe(school.teacher.id);
  });

  test('a teacher cannot add pupils to another class, by name, by ID or by URL', async () => {
    const text = 'You do not manage Year 5 Swifts. Ask its teacher or an administrator of your school.';
    for (const pupils of [
      [{ name: 'Grace Hopper', class: 'Year 5 Swifts' }],
      [{ name: 'Grace Hopper', group_id: school.otherClass.id }],
    ])
      expect((await add(pupils, teacher)).error.errors).toEqual({ 'readers.0.class': [text] });
    const { status, error } = await app.call(pupilImportCalls.addPupilsToClass, {
      params: { id: school.id, groupId: school.otherClass.id },
      body: { readers: { new: [{ name: 'Grace Hopper' }] } },
      ...teacher,
    });
    expect({ status, text: error.error }).toEqual({ status: 409, text });
    // An existing pupil is not a change.
    expect((await add([{ name: "Finn O'Hara", class: 'Year 5 Swifts' }], teacher)).reply.meta).toMatchObject({
      created: 0,
      already: 1,
    });
  });
});

describe('adding to a class', () => {
  const addToClass = (pupils: { existing?: number[]; new?: ImportRowInput[] }, who: Who = teacher) =>
    app.call(pupilImportCalls.addPupilsToClass, {
      params: { id: school.id, groupId: school.ownClass.id },
      body: { readers: pupils },
      ...who,
    });

  test('adding to a class accepts existing and new pupils together', async () => {
    const { reply } = await addToClass({
      existing: [school.unplaced.id, school.unplaced.id],
      new: [{ name: 'Grace Hopper', class: 'Ignored' }],
    });
    expect(reply.meta).toMatchObject({ created: 1, moved: 1, classes_created: [] });
    expect(reply.readers[0]?.group).toEqual({ id: school.ownClass.id, name: 'Year 3 Wrens' });
    const alone = await addToClass({ existing: [school.unplaced.id] });
    expect(alone.reply).toMatchObject({ links: null, meta: { created: 0, moved: 0 } });
  });

  test('adding pupils of a class that the teacher does not manage is rejected, and adds none', async () => {
    const foreign = school.otherClass.pupils[0] as { id: number; name: string };
    const { status, error } = await addToClass({ existing: [foreign.id], new: [{ name: 'Grace Hopper' }] });
    expect({ status, text: error.error }).toEqual({
      status: 409,
      text: `${foreign.name} is in a class that you do not manage. Ask an administrator of your school.`,
    });
    expect(await countPupils()).toBe(4);
    expect((await addToClass({ existing: [foreign.id] }, admin)).reply.meta.moved).toBe(1);
  });

  test("adding another school's pupil, or to its class, answers 404", async () => {
    const otherSchool = await app.build.school();
    expect((await addToClass({ existing: [otherSchool.unplaced.id] }, admin)).status).toBe(404);
    const { status } = await app.call(pupilImportCalls.addPupilsToClass, {
      params: { id: school.id, groupId: otherSchool.ownClass.id },
      ...csv('Name\nGrace Hopper\n'),
      ...admin,
    });
    expect(status).toBe(404);
  });

  test('adding to a class accepts a file, and requires at least one pupil', async () => {
    const { reply } = await app.call(pupilImportCalls.addPupilsToClass, {
      params: { id: school.id, groupId: school.ownClass.id },
      ...csv('Name\nGrace Hopper\n'),
      ...teacher,
    });
    expect(reply.readers[0]).toMatchObject({ name: 'Grace Hopper', group: { name: 'Year 3 Wrens' } });
    expect((await addToClass({})).error.errors).toEqual({ 'readers.new': ['Enter the name of at least one pupil.'] });
    const empty = await app.call(pupilImportCalls.addPupilsToClass, {
      params: { id: school.id, groupId: school.ownClass.id },
      ...csv('Name\n'),
      ...teacher,
    });
    expect({ status: empty.status, code: empty.error.code }).toEqual({ status: 422, code: 'file_empty' });
  });
});

describe('the files', () => {
  test('the files of new logins open only for their creator, for a day, and are then deleted', async () => {
    const { reply } = await add([{ name: 'Grace Hopper', class: 'Robins' }]);
    const tokenOf = (link: string | undefined) => new URL(link ?? '').pathname.split('/').at(-1) as string;
    const pdf = { token: tokenOf(reply.links?.logins) };
    const cards = await app.call(loginCardCalls.getFile, { params: pdf, ...admin });
    expect([cards.status, cards.headers['content-type'], cards.bytes.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
    expect((await app.call(loginCardCalls.getFile, { params: pdf, ...teacher })).status).toBe(404);
    const otherSchool = await app.build.school();
    expect((await app.call(loginCardCalls.getFile, { params: pdf, token: otherSchool.admin.token })).status).toBe(404);
    expect((await app.call(loginCardCalls.getFile, { params: pdf })).status).toBe(401);
    const start = app.services.clock.now();
    app.setTime(new Date(start.getTime() + 86_400_000).toISOString());
    const late = await app.call(loginCardCalls.getFile, { params: pdf, ...admin });
    expect({ status: late.status, text: late.error.error }).toEqual({
      status: 404,
      text: expect.stringContaining('24 hours'),
    });
    app.setTime(start.toISOString());
  });

  test('an exported file of pupils imports without changes, and the template as its example', async () => {
    await add([{ name: '-Ada Hyphen' }, { name: "O'Hara-One Odd" }, { name: 'Ada Baker', namesake: true }]);
    for (const format of ['xlsx', 'csv'] as const) {
      const { bytes, headers } = await app.call(downloadCalls.exportPupils, {
        params: params(),
        query: { output: format },
        ...teacher,
      });
      expect(headers['content-disposition']).toContain(`pupils.${format}`);
      const { reply } = await app.call(pupilImportCalls.createPupils, {
        params: params(),
        file: { name: `pupils.${format}`, content: bytes },
        ...admin,
      });
      expect({ format, ...reply.meta }).toEqual({
        format,
        created: 0,
        already: 7,
        duplicates: 0,
        classes_created: [],
        moved: 0,
      });
    }
    const template = await app.call(downloadCalls.getTemplate, { params: { name: 'pupils.xlsx' } });
    const { reply } = await app.call(pupilImportCalls.previewPupils, {
      params: params(),
      file: { name: 'pupils.xlsx', content: template.bytes },
      ...admin,
    });
    // The example, and nothing of the sheet with instructions.
    expect(reply.rows.map(({ name, status }) => [name, status])).toEqual([['Amara Bell', 'new']]);
    expect((await app.call(downloadCalls.getTemplate, { params: { name: 'other.xlsx' } })).status).toBe(404);
  });
});
