import { type ColumnRole, pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { pupilTagCalls } from '#contract/calls/pupil-tags.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { MAX_REMEMBERED_COLUMNS } from '#contract/limits.ts';
import fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { sql } from 'kysely';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { transferFile } from '../../../testing/oneroster.ts';
import { findColumns, NO_KNOWLEDGE } from '../../../lists/columns.ts';

const app = testApp();
let school: BuiltSchool;
let admin: { token: string };

beforeEach(async () => {
  app.setTime('2026-11-18T12:00:00.000Z');
  school = await app.build.school();
  admin = { token: school.admin.token };
});

type Who = { token: string };
const at = () => ({ params: { id: school.id } });
const preview = async (content: string, body: object = {}, who: Who = admin) =>
  (await app.call(pupilImportCalls.previewPupils, { ...at(), body, file: { name: 'list.csv', content }, ...who }))
    .reply;
/** Adds the pupils of a file in the way of the screen: the new rows of the preview. */
const add = async (content: string, more: object = {}, who: Who = admin) => {
  const { rows } = await preview(content, {}, who);
  const pupils = rows
    .filter(({ status }) => status === 'new')
    .map(({ name, class: className, match, tag_ids }) => ({ name, class: className, match, tag_ids }));
  return app.call(pupilImportCalls.createPupils, { ...at(), body: { readers: pupils, ...more }, ...who });
};
const rolesOf = ({ understood }: Awaited<ReturnType<typeof preview>>) =>
  understood.sheets[0]?.columns.map(({ role, is_remembered }) => (is_remembered ? `${role}, as last time` : role));
const outcome = async (content: string, who: Who = admin) =>
  (await preview(content, {}, who)).rows.map(({ name, status, reason }) => [name, status, reason]);

describe('headers of management information systems', () => {
  const KNOWN: Record<string, readonly string[]> = {
    first_name: ['Forename', 'Legal Forename', 'Preferred Forename', 'First Name', 'Known As', 'Given name'],
    last_name: ['Surname', 'Legal Surname', 'Preferred Surname', 'Last Name', 'Legal Last Name', 'Family Name'],
    class: ['Reg', 'Reg Group', 'Registration Group', 'Registration Form', 'Form', 'Tutor Group', 'Class Name'],
    year_group: ['Year', 'Year Group', 'NC Year', 'Year taught in', 'National Curriculum Year', 'Yr', 'NCyearActual'],
    birth_date: ['DOB', 'D.O.B.', 'Date of Birth', 'Birth date', 'Pupil DOB', 'Birthday'],
    upn: ['UPN', 'Unique Pupil Number', 'Pupil UPN', 'UPN number'],
    'tag:1': ['EAL', 'EAL Status', 'English as an additional language'],
    'tag:2': ['PP', 'Pupil Premium', 'Pupil Premium Indicator', 'Pupil Premium Recipient'],
    'tag:3': ['SEN', 'SEND', 'SEN Status', 'SEN Code', 'SEN provision'],
    ignored: [
      'Gender',
      'Sex',
      'Adno',
      'House',
      'Ethnicity',
      'Middle names',
      'Former UPN',
      'Class teacher',
      'Parent email',
    ],
  };
  const tags = [
    { id: 1, name: 'EAL', kind: 'own' },
    { id: 2, name: 'Pupil premium', kind: 'pupil_premium' },
    { id: 3, name: 'SEND', kind: 'send' },
  ] as const;
  const spelling = fc.constantFrom(
    (text: string) => text,
    (text: string) => text.toUpperCase(),
    (text: string) => text.toLowerCase(),
    (text: string) => ` ${text.replaceAll(' ', '_')} `,
    (text: string) => text.replaceAll(' ', '\n'),
  );

  test('headers of management information systems are recognised in any order and spelling', () => {
    const columns = fc
      .shuffledSubarray(Object.keys(KNOWN), { minLength: 1 })
      .chain((roles) =>
        fc.tuple(
          ...roles.map((role) => fc.tuple(fc.constant(role), fc.constantFrom(...(KNOWN[role] ?? [])), spelling)),
        ),
      );
    fc.assert(
      fc.property(columns, (some) => {
        // A list without names is not a list of pupils.
        const all = [
          ['first_name', 'Forename'],
          ['last_name', 'Surname'],
          ...some.map(([r, h, spell]) => [r, spell(h)]),
        ];
        const cells = all.map(([, header = '']) => header);
        const { roles } = findColumns([{ row: 1, cells }], { ...NO_KNOWLEDGE, tags });
        const names = ['first_name', 'last_name'];
        for (const [index, [role]] of all.entries())
          if (!names.includes(role ?? '')) expect([cells[index], roles[index]]).toEqual([cells[index], role]);
        // Each kind of name is used once.
        for (const role of names) expect(roles.filter((found) => found === role)).toHaveLength(1);
      }),
    );
  });

  test('a column for a tag that is not turned on is ignored', () => {
    const cells = ['Forename', 'Surname', 'EAL', 'Pupil Premium Indicator', 'SEN Status'];
    expect(findColumns([{ row: 1, cells }], NO_KNOWLEDGE).roles).toEqual([
      'first_name',
      'last_name',
      'ignored',
      'ignored',
      'ignored',
    ]);
  });

  test('an empty preferred name is filled from the legal one', async () => {
    const { rows } = await preview(
      'Legal Surname,Legal Forename,Preferred Surname,Preferred Forename,Reg\nBell,Adelaide,Bell,Addie,3A\nPrice,Thomas,,,3A\n',
    );
    expect(rows.map(({ name }) => name)).toEqual(['Addie Bell', 'Thomas Price']);
  });

  test('the year group is the class of a list without classes', async () => {
    const reply = await preview('Name,Year Group\nGrace Hopper,03\nTom Price,R\nZoe Lane,Y4\nBo Lee,N2\n');
    expect(reply.rows.map(({ class: className }) => className)).toEqual(['Year 3', 'Reception', 'Year 4', 'Nursery']);
    expect(reply.understood.sheets[0]?.note).toContain('The year group was taken as the class');
    const both = await preview('Name,Year Group,Reg\nGrace Hopper,3,3W\n');
    expect(both.rows[0]?.class).toBe('3W');
  });
});

describe('dates of birth and UPNs', () => {
  const UPN = 'B801200005001';
  const HEADERS = 'Forename,Surname,Reg,DOB,UPN';

  beforeEach(async () => {
    const child = { upn: UPN, forename: 'Grace', surname: 'Hopper', birth: '2018-02-03', className: 'Owls' };
    const file = { name: 'transfer.xml', content: transferFile([child]) };
    const runId = (await app.call(schoolRecordsCalls.planSchoolRecords, { ...at(), file, ...admin })).reply.run_id ?? 0;
    const ofRun = { params: { id: school.id, runId }, ...admin };
    const { version } = (await app.call(schoolRecordsCalls.getSchoolRecordsRun, ofRun)).reply;
    await app.call(schoolRecordsCalls.applySchoolRecordsRun, { ...ofRun, body: { version: version ?? '' } });
  });

  test('dates of birth tell pupils of one name apart', async () => {
    expect(await outcome(`${HEADERS}\nGrace,Hopper,Owls,03/02/2018,\nGrace,Hopper,Owls,04/02/2018,\n`)).toEqual([
      ['Grace Hopper', 'already', 'Grace Hopper is already in Owls.'],
      ['Grace Hopper', 'new', 'Grace Hopper of your school has another date of birth.'],
    ]);
    // Without a date the name decides, as before.
    expect(await outcome(`${HEADERS}\nGrace,Hopper,Owls,,\nGrace,Hopper,Owls,31/02/2018,\n`)).toMatchObject([
      ['Grace Hopper', 'already', expect.anything()],
      ['Grace Hopper', 'duplicate', 'Row 2 is the same pupil.'],
    ]);
  });

  test('a date of birth finds the same pupil twice in a list, in two classes', async () => {
    const rows = `${HEADERS}\nTom,Price,Owls,01/09/2018,\nTom,Price,Wrens,2018-09-01,\nTom,Price,Owls,02/09/2018,\n`;
    expect(await outcome(rows)).toMatchObject([
      ['Tom Price', 'new', null],
      ['Tom Price', 'duplicate', 'Row 2 is the same pupil.'],
      ['Tom Price', 'new', null],
    ]);
  });

  test('a UPN finds a pupil under another name, and a wrong one finds none', async () => {
    expect(await outcome(`${HEADERS}\nGrace,Murray,Owls,,${UPN}\nGrace,Murray,Owls,,B801200005002\n`)).toMatchObject([
      ['Grace Murray', 'already', 'Grace Hopper has the same UPN and is already in Owls.'],
      ['Grace Murray', 'duplicate', 'Row 2 is the same pupil.'],
    ]);
  });

  test('dates of birth and UPNs of another school find no pupil', async () => {
    const otherSchool = await app.build.school();
    const { rows } = (
      await app.call(pupilImportCalls.previewPupils, {
        params: { id: otherSchool.id },
        file: { name: 'list.csv', content: `${HEADERS}\nGrace,Murray,Owls,03/02/2018,${UPN}\n` },
        token: otherSchool.admin.token,
      })
    ).reply;
    expect(rows[0]).toMatchObject({ status: 'new', reason: null });
  });

  test('dates of birth and UPNs are neither stored nor logged, whatever the columns are taken for', async () => {
    const printed: string[] = [];
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => Boolean(printed.push(String(text))));
    const { id: tagId } = (await app.call(pupilTagCalls.createPupilTag, { ...at(), body: { name: 'Club' }, ...admin }))
      .reply;
    const secrets = ['05/06/2018', '2018-06-05', '43256', 'A801200005009', '5 June 2018'];
    const cells = ['Grace', 'Oak', 'Owls', ...secrets];
    const anyRole = fc.constantFrom<ColumnRole>(
      ...(['name', 'first_name', 'last_name', 'class', 'year_group', 'birth_date', 'upn', 'ignored'] as const),
      `tag:${tagId}`,
    );
    const headers = fc.constantFrom('Forename,Surname,Reg,DOB,Born,Serial,UPN,Day', cells.join(','));
    await fc.assert(
      fc.asyncProperty(fc.array(anyRole, { minLength: 8, maxLength: 8 }), headers, async (roles, header) => {
        const file = { name: 'list.csv', content: `${header}\n${cells.join(',')}\n` };
        const body = { roles: roles.join(',') };
        const given = await app.call(pupilImportCalls.previewPupils, { ...at(), body, file, ...admin });
        await app.call(pupilImportCalls.createPupils, { ...at(), body, file, ...admin });
        const pupils = (given.reply.rows ?? []).map(({ name, class: className, match, tag_ids }) => ({
          name,
          class: className,
          match,
          tag_ids,
        }));
        const columns = header.split(',').map((text, index) => ({ header: text, role: roles[index] as ColumnRole }));
        await app.call(pupilImportCalls.createPupils, { ...at(), body: { readers: pupils, columns }, ...admin });
        await app.call(pupilImportCalls.createPupils, {
          ...at(),
          body: { readers: [{ name: 'Zoe Oak' }], columns },
          ...admin,
        });
      }),
      { numRuns: 25 },
    );
    vi.restoreAllMocks();
    const text = `${await dumpDatabase(app.database)}${printed.join('')}`.toLowerCase();
    expect(text).toContain('zoe oak');
    // As a whole, because the digits of a digest can contain a serial day.
    for (const secret of secrets) expect(text).not.toMatch(new RegExp(`\\b${secret}\\b`, 'i'));
    for (const key of ['05 06 2018', '2018 06 05', '5 jun']) expect(text).not.toContain(key);
  });
});

describe('tags', () => {
  const LIST = 'Forename,Surname,SEN Status,PP,Reading club\nGrace,Hopper,K,N,Yes\nTom,Price,N,,no\n';
  const tagNames = async () => {
    const { tags } = (await app.call(pupilTagCalls.listPupilTags, { ...at(), ...admin })).reply;
    return Object.fromEntries(tags.map(({ name, reader_ids: pupils }) => [name, pupils.length]));
  };

  beforeEach(async () => {
    await app.call(pupilTagCalls.createPupilTag, { ...at(), body: { name: 'Reading club' }, ...admin });
    const body = { kind: 'send', purpose: 'To plan support' } as const;
    await app.call(pupilTagCalls.turnOnSensitiveTag, { ...at(), body, ...admin });
  });

  test('an import tags new pupils where the school has turned the tag on', async () => {
    const reply = await preview(LIST);
    expect(reply.understood.tags.map(({ name }) => name)).toEqual(['Reading club', 'SEND']);
    expect(reply.rows.map(({ tag_ids }) => tag_ids.length)).toEqual([2, 0]);
    expect((await add(LIST)).reply.meta.created).toBe(2);
    expect(await tagNames()).toEqual({ 'Reading club': 1, SEND: 1 });
  });

  test('an import by a teacher gives no tags', async () => {
    const { rows, understood } = await preview(LIST, {}, { token: school.teacher.token });
    expect([understood.tags, rows[0]?.tag_ids]).toEqual([[], []]);
    const given = (await preview(LIST)).rows[0]?.tag_ids ?? [];
    const { status } = await app.call(pupilImportCalls.createPupils, {
      ...at(),
      body: { readers: [{ name: 'Grace Hopper', tag_ids: given }] },
      token: school.teacher.token,
    });
    expect(status).toBe(422);
    expect(await tagNames()).toEqual({ 'Reading club': 0, SEND: 0 });
  });

  test('an import gives no tags of another school', async () => {
    const otherSchool = await app.build.school();
    const theirs = (
      await app.call(pupilTagCalls.createPupilTag, {
        params: { id: otherSchool.id },
        body: { name: 'Theirs' },
        token: otherSchool.admin.token,
      })
    ).reply.id;
    const body = { readers: [{ name: 'Grace Hopper', tag_ids: [theirs] }] };
    await app.call(pupilImportCalls.createPupils, { ...at(), body, ...admin });
    const rows = await app.database.kysely
      .selectFrom('pupil_tag_members')
      .select('pupil_id')
      .where('school_id', 'in', [school.id, otherSchool.id])
      .execute();
    expect(rows).toEqual([]);
  });
});

describe('unknown columns', () => {
  const LIST = 'Forename,Surname,Pod\nGrace,Hopper,Owls\n';

  test('an import remembers the role of an unknown column for the whole school, and the next choice replaces it', async () => {
    expect(rolesOf(await preview(LIST))).toEqual(['first_name', 'last_name', 'ignored']);
    await add(LIST, { columns: [{ header: 'Pod', role: 'class' }] });
    const next = 'FORENAME,Surname,pod \nTom,Price,Owls\n';
    for (const who of [admin, { token: school.teacher.token }])
      expect(rolesOf(await preview(next, {}, who))).toEqual(['first_name', 'last_name', 'class, as last time']);
    expect((await preview(next)).rows[0]?.class).toBe('Owls');
    await add(next, { columns: [{ header: 'Pod', role: 'ignored' }] });
    expect(rolesOf(await preview(LIST))).toEqual(['first_name', 'last_name', 'ignored, as last time']);

    const log = await app.call(schoolCalls.listAuditLog, { ...at(), query: { kind: 'school' }, ...admin });
    expect(log.reply.entries.map(({ action, details }) => [action, details])).toEqual([
      ['import_columns_chosen', { columns: 1 }],
      ['import_columns_chosen', { columns: 1 }],
    ]);
  });

  test('a remembered role goes before what the header says', async () => {
    await add('Forename,Surname,Form,Nest\nGrace,Hopper,3A,Owls\n', { columns: [{ header: 'Nest', role: 'class' }] });
    expect(rolesOf(await preview('Forename,Surname,Form,Nest\nTom,Price,3A,Owls\n'))).toEqual([
      'first_name',
      'last_name',
      'ignored',
      'class, as last time',
    ]);
    // Also where nothing else is known about the list.
    await add('Name\nZoe Lane\n', { columns: [{ header: 'Lernende', role: 'name' }] });
    expect(rolesOf(await preview('Lernende,Nr\nTom Price,4\n'))).toEqual(['name, as last time', 'ignored']);
  });

  test('the role of a column is not remembered when no pupils are added, nor in another school', async () => {
    const { status } = await app.call(pupilImportCalls.createPupils, {
      ...at(),
      body: { readers: [{ name: 'R2D2' }], columns: [{ header: 'Pod', role: 'class' }] },
      ...admin,
    });
    expect(status).toBe(422);
    expect(rolesOf(await preview(LIST))).toEqual(['first_name', 'last_name', 'ignored']);
    await add(LIST, { columns: [{ header: 'Pod', role: 'class' }] });
    const otherSchool = await app.build.school();
    school = otherSchool;
    admin = { token: otherSchool.admin.token };
    expect(rolesOf(await preview(LIST))).toEqual(['first_name', 'last_name', 'ignored']);
  });

  test('the role of a column is not remembered without a letter, for a tag that the user cannot give, or twice', async () => {
    const tagOf = async ({ id }: { id: number }, token: string) => {
      const { reply } = await app.call(pupilTagCalls.createPupilTag, {
        params: { id },
        body: { name: 'Choir' },
        token,
      });
      return `tag:${reply.id}` as const;
    };
    const otherSchool = await app.build.school();
    const own = await tagOf(school, admin.token);
    const theirs = await tagOf(otherSchool, otherSchool.admin.token);
    const stored = async () => {
      const columns = app.database.kysely.selectFrom('import_columns').select('header_key');
      return (await columns.where('school_id', '=', school.id).execute()).map((row) => row.header_key);
    };
    await add(LIST, { columns: [{ header: 'Pod', role: own }] }, { token: school.teacher.token });
    const choices = [
      { header: '---', role: 'class' },
      { header: 'Team', role: theirs },
    ];
    expect((await add('Name\nTom Price\n', { columns: choices })).status).toBe(200);
    expect(await stored()).toEqual([]);
    for (const name of ['Bo Lee', 'Zoe Lane'])
      await add(`Name\n${name}\n`, { columns: [{ header: 'Pod', role: own }] });
    expect(await stored()).toHaveLength(1);
    const log = await app.call(schoolCalls.listAuditLog, { ...at(), query: { kind: 'school' }, ...admin });
    expect(log.reply.entries.filter(({ action }) => action === 'import_columns_chosen')).toHaveLength(1);
  });

  test('a remembered header is stored as a digest, because it may be the name of a child in a file without headers', async () => {
    await add('Xanthippe Quaglino,Owls\nZoe Lane,Owls\n', {
      columns: [
        { header: 'Xanthippe Quaglino', role: 'name' },
        { header: 'Owls', role: 'class' },
      ],
    });
    const { rows } = await sql`select from import_columns where school_id = ${school.id}`.execute(app.database.kysely);
    expect(rows).toHaveLength(2);
    const lines = (await dumpDatabase(app.database)).split('\n').filter((line) => /quaglino/i.test(line));
    expect(lines.filter((line) => /^(import_columns|audit_log)/.test(line))).toEqual([]);
  });

  test('a new column beyond the limit replaces the oldest remembered one', async () => {
    const choose = (first: number) =>
      Array.from({ length: MAX_REMEMBERED_COLUMNS }, (_, index) => ({
        header: `Column ${first + index}`,
        role: 'ignored' as const,
      }));
    await add(LIST, { columns: choose(0) });
    app.setTime('2026-11-18T12:05:00.000Z');
    await add('Name\nZoe Lane\n', { columns: [{ header: 'Newest', role: 'class' }] });
    const kept = await app.database.kysely
      .selectFrom('import_columns')
      .select('header_key')
      .where('school_id', '=', school.id)
      .execute();
    expect(kept).toHaveLength(MAX_REMEMBERED_COLUMNS);
    expect(rolesOf(await preview('Name,Newest\nTom Price,Owls\n'))).toEqual(['name', 'class, as last time']);
    const tooMany = await add('Name\nBo Lee\n', { columns: [...choose(0), { header: 'One more', role: 'ignored' }] });
    expect(tooMany.status).toBe(422);
  });
});
