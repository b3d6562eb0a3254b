import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import type { QueryInputOf, ReplyOf } from '#contract/call.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';

const app = testApp();

const OWN = ['Ada Baker', 'Zoë Łukasik', 'Élodie Marchand', 'Siân ap Rhys', "Caoimhe O'Neill", 'José García'];
const OTHER = ["Finn O'Hara", 'Mary-Jane Smith', 'Ada Stone'];

let school: BuiltSchool;
let otherSchool: BuiltSchool;

beforeAll(async () => {
  school = await app.build.school({ ownPupils: OWN, otherPupils: OTHER });
  otherSchool = await app.build.school({ ownPupils: ['Ada Foreign'] });
});

type Query = QueryInputOf<typeof pupilCalls.listPupils>;

const list = (query: Query = {}, token = school.admin.token, schoolId = school.id) =>
  app.call(pupilCalls.listPupils, { params: { id: schoolId }, query, token });
const namesOf = async (query: Query, token?: string) =>
  (await list(query, token)).reply.readers.map(({ name }) => name);
const askList = (search: string) =>
  app.ask('GET', `/enterprises/${school.id}/readers${search}`, { token: school.admin.token });
const namesIn = (reply: unknown) => (reply as ReplyOf<typeof pupilCalls.listPupils>).readers.map(({ name }) => name);

const BY_NAME = [
  'Ada Baker',
  'Ada Stone',
  "Caoimhe O'Neill",
  'Élodie Marchand',
  "Finn O'Hara",
  'José García',
  'Mary-Jane Smith',
  'Mina Rahman',
  'Siân ap Rhys',
  'Zoë Łukasik',
];

describe('the list of pupils', () => {
  test('the list of pupils has every pupil of the school by name, accents aside, and none of another', async () => {
    for (const token of [school.admin.token, school.teacher.token]) expect(await namesOf({}, token)).toEqual(BY_NAME);
  });

  test('the list of pupils returns a pupil as the API defines it', async () => {
    const { reply } = await list({ search: 'baker' });
    const [pupil] = school.ownClass.pupils;
    expect(reply).toEqual({
      readers: [
        {
          id: pupil?.id,
          name: 'Ada Baker',
          username: pupil?.username,
          group: { id: school.ownClass.id, name: school.ownClass.name },
          year_group: null,
          can_update: true,
          last_read_at: null,
        },
      ],
      meta: { total: 10, total_filtered: 1, page: 1, per_page: 50 },
    });
  });

  test('a teacher can change pupils of their classes and pupils without one, an admin all pupils', async () => {
    const mayChange = async (token: string) =>
      (await list({}, token)).reply.readers.filter((pupil) => pupil.can_update).map(({ name }) => name);
    expect((await mayChange(school.teacher.token)).sort()).toEqual([...OWN, 'Mina Rahman'].sort());
    expect(await mayChange(school.admin.token)).toEqual(BY_NAME);
  });
});

describe('pages', () => {
  let big: BuiltSchool;
  const names = Array.from({ length: 23 }, (_, n) => `Child ${String.fromCharCode(65 + n)}`);
  beforeAll(async () => {
    big = await app.build.school({ ownPupils: names, otherPupils: [] });
  });
  const page = (query: Query) => list(query, big.admin.token, big.id);

  test('pages of pupils follow each other without a gap or a repetition', async () => {
    const found: string[] = [];
    for (const number of ['1', '2', '3']) {
      const { reply } = await page({ page: number, per_page: '10' });
      expect(reply.meta).toEqual({ total: 24, total_filtered: 24, page: Number(number), per_page: 10 });
      found.push(...reply.readers.map(({ name }) => name));
    }
    expect(found).toEqual([...names, 'Mina Rahman']);
  });

  test('a page of pupils beyond the end is empty and states the total', async () => {
    const { status, reply } = await page({ page: '9', per_page: '10', search: 'child' });
    expect(status).toBe(200);
    expect(reply).toEqual({ readers: [], meta: { total: 24, total_filtered: 23, page: 9, per_page: 10 } });
  });

  test('a page of pupils has any length up to 200, also by the name `length`', async () => {
    const { reply } = await page({ length: '7' });
    expect(reply.readers).toHaveLength(7);
    expect(reply.meta).toMatchObject({ per_page: 7, total_filtered: 24 });
  });

  test.each([
    'per_page=1e9',
    'per_page=1000000000',
    'per_page=0',
    'per_page=-10',
    'per_page=11',
    'per_page=',
    'per_page=10.0',
    'per_page[]=10',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=99999999',
    'page=one',
    'length=0',
    'length=201',
    'length=-1',
    'length=5e1',
    'sort[name]=up',
    'sort[password_hash]=asc',
    'sort[name]=asc&sort[group]=asc',
    'sort=name',
    'groups=abc',
    'groups=1;2',
    'groups=-1',
    `search=${'x'.repeat(192)}`,
    'search[value][deep]=x',
    'search[]=a&search[]=b',
  ])('the list of pupils answers 422 to %s and names the field', async (search) => {
    const { status, error } = await askList(`?${search}`);
    expect(status).toBe(422);
    expect(error.error_type).toBe('validation');
    const field = /^\w+/.exec(search)?.[0];
    expect(Object.keys(error.errors ?? {}).every((path) => path.split('.')[0] === field)).toBe(true);
    expect(Object.keys(error.errors ?? {})).not.toHaveLength(0);
  });
});

describe('search', () => {
  test.each([
    ['ada', ['Ada Baker', 'Ada Stone']],
    ['ADA', ['Ada Baker', 'Ada Stone']],
    ['baker ada', ['Ada Baker']],
    ['  ada   bak ', ['Ada Baker']],
    ['zoe lukasik', ['Zoë Łukasik']],
    ['Zoë', ['Zoë Łukasik']],
    ['ÉLO', ['Élodie Marchand']],
    ['elodie', ['Élodie Marchand']],
    ["o'n", ["Caoimhe O'Neill"]],
    ['y-j', ['Mary-Jane Smith']],
    ['', BY_NAME],
    ['   ', BY_NAME],
    ['ada missing', []],
    ['%', []],
    ['_', []],
    ['\\', []],
    ['a_a', []],
    ['ad%', []],
    ["' or 1=1 --", []],
    ['{ada}', []],
    ['"ada"', []],
    ['ada,stone', []],
  ])('a search of pupils for %j finds %j', async (search, expected) => {
    expect(await namesOf({ search })).toEqual(expected);
  });

  test('a search of pupils finds them by username', async () => {
    const pupil = school.otherClass.pupils[1];
    expect(await namesOf({ search: pupil?.username.toUpperCase() ?? '' })).toEqual([pupil?.name]);
  });

  test('a search with a character that text cannot contain is answered 422, not with a server error', async () => {
    const { status, error } = await askList('?search=ada%00');
    expect({ status, type: error.error_type }).toEqual({ status: 422, type: 'validation' });
  });
});

describe('the filter by class', () => {
  test('the filter by class keeps the pupils of these classes', async () => {
    expect(await namesOf({ groups: String(school.otherClass.id) })).toEqual([
      'Ada Stone',
      "Finn O'Hara",
      'Mary-Jane Smith',
    ]);
    expect(await namesOf({ groups: `${school.otherClass.id},${school.ownClass.id}` })).toEqual(
      BY_NAME.filter((name) => name !== 'Mina Rahman'),
    );
  });

  test('the filter `none` keeps the pupils without a class, also together with a class', async () => {
    expect(await namesOf({ groups: 'none' })).toEqual(['Mina Rahman']);
    expect(await namesOf({ groups: `none,${school.otherClass.id}` })).toEqual([
      'Ada Stone',
      "Finn O'Hara",
      'Mary-Jane Smith',
      'Mina Rahman',
    ]);
  });

  test('the filter by class is accepted in the spelling of form libraries for lists too', async () => {
    const [ownClass, otherClass] = [school.ownClass.id, school.otherClass.id];
    const both = BY_NAME.filter((name) => name !== 'Mina Rahman');
    expect(namesIn((await askList(`?groups[]=${ownClass}&groups[]=${otherClass}`)).reply)).toEqual(both);
    expect(namesIn((await askList(`?groups[]=none`)).reply)).toEqual(['Mina Rahman']);
    expect((await askList(`?groups[]=${ownClass}&groups[]=abc`)).status).toBe(422);
  });

  test('the filter by class and a search both apply', async () => {
    const { reply } = await list({ groups: String(school.ownClass.id), search: 'ada' });
    expect(reply.readers.map(({ name }) => name)).toEqual(['Ada Baker']);
    expect(reply.meta).toMatchObject({ total: 10, total_filtered: 1 });
  });

  test('the filter mine matches a teacher’s pupils; for an admin and a teacher without a class it matches everyone', async () => {
    const { token } = school.teacher;
    const ownPupils = BY_NAME.filter((name) => OWN.includes(name));
    expect(await namesOf({ groups: 'mine' }, token)).toEqual(ownPupils);
    expect(await namesOf({ groups: 'mine,none' }, token)).toEqual(
      BY_NAME.filter((name) => OWN.includes(name) || name === 'Mina Rahman'),
    );
    expect(await namesOf({ groups: `mine,${school.otherClass.id}` }, token)).toEqual(
      BY_NAME.filter((name) => name !== 'Mina Rahman'),
    );
    expect(await namesOf({ groups: 'mine', search: 'ada' }, token)).toEqual(['Ada Baker']);
    expect(await namesOf({ groups: 'mine' })).toEqual(BY_NAME);
    const newcomer = await app.build.staff(school, 'teacher');
    expect(await namesOf({ groups: 'mine' }, newcomer.token)).toEqual(BY_NAME);
    await app.call(classCalls.addClassTeacher, {
      params: { id: school.id, groupId: school.otherClass.id, userId: newcomer.id },
      token: school.admin.token,
    });
    expect(await namesOf({ groups: 'mine' }, newcomer.token)).toEqual(BY_NAME.filter((name) => OTHER.includes(name)));
  });

  test('an empty filter by class keeps all pupils', async () => {
    expect(namesIn((await askList('?groups=')).reply)).toEqual(BY_NAME);
  });
});

describe('the filters by reading', () => {
  test('filters by reading match pupils who have not read for some days, and those at a level', async () => {
    const built = await app.build.school({ ownPupils: ['Early Bird', 'Late Riser'], otherPupils: ['Long Ago'] });
    const [early, late] = built.ownClass.pupils;
    const ago = built.otherClass.pupils[0];
    await app.build.reading(built, early?.id ?? 0, [{ started_at: '2026-11-17T10:00:00Z', book_id: 101 }]);
    await app.build.reading(built, late?.id ?? 0, [
      { started_at: '2026-11-10T10:00:00Z', book_id: 205 },
      { started_at: '2026-11-11T11:59:59Z', book_id: 101 },
    ]);
    await app.build.reading(built, ago?.id ?? 0, [{ started_at: '2026-09-01T10:00:00Z', book_id: 205 }]);
    const names = async (query: Query) =>
      (await list(query, built.admin.token, built.id)).reply.readers.map(({ name }) => name);
    expect(await names({ not_read_days: '7' })).toEqual(['Late Riser', 'Long Ago', 'Mina Rahman']);
    expect(await names({ not_read_days: '8' })).toEqual(['Long Ago', 'Mina Rahman']);
    expect(await names({ not_read_days: '7', groups: String(built.ownClass.id) })).toEqual(['Late Riser']);
    // The level of their last day with reading.
    expect(await names({ level: '1' })).toEqual(['Early Bird', 'Late Riser']);
    expect(await names({ level: '5' })).toEqual(['Long Ago']);
    // A moment; of two filters, the stricter applies.
    const since = { not_read_since: '2026-11-11T11:59:59.000Z' };
    expect(await names(since)).toEqual(['Long Ago', 'Mina Rahman']);
    expect(await names({ not_read_since: '2026-11-11T12:00:00+00:00' })).toEqual([
      'Late Riser',
      'Long Ago',
      'Mina Rahman',
    ]);
    expect(await names({ ...since, not_read_days: '7' })).toEqual(['Long Ago', 'Mina Rahman']);
    for (const wrong of [
      '?not_read_since=monday',
      '?not_read_days=0',
      '?not_read_days=366',
      '?not_read_days=x',
      '?level=7',
    ])
      expect((await askList(wrong)).status).toBe(422);

    const csv = await app.call(downloadCalls.exportPupils, {
      params: { id: built.id },
      query: { output: 'csv', not_read_days: '7', search: 'long' },
      token: built.admin.token,
    });
    expect(csv.text).toBe('\uFEFFName,Class,Year group\r\nLong Ago,Year 5 Swifts,\r\n');
  });
});

describe('sort', () => {
  const at = (day: number) => `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`;
  let sorted: BuiltSchool;
  beforeAll(async () => {
    sorted = await app.build.school({ ownPupils: ['Cleo', 'Ann', 'Ben'], otherPupils: ['Ben', 'Dot'] });
    await app.build.reading(sorted, sorted.ownClass.pupils[0]?.id ?? 0, [{ started_at: at(3) }]);
    await app.build.reading(sorted, sorted.otherClass.pupils[1]?.id ?? 0, [{ started_at: at(2) }]);
  });
  const rows = async (sort: Query['sort']) => (await list({ sort }, sorted.admin.token, sorted.id)).reply.readers;

  test.each([
    ['name', 'asc', ['Ann', 'Ben', 'Ben', 'Cleo', 'Dot', 'Mina Rahman']],
    ['name', 'desc', ['Mina Rahman', 'Dot', 'Cleo', 'Ben', 'Ben', 'Ann']],
    // Own class (Year 3) before the other (Year 5); no class last in both orders; then by name.
    ['group', 'asc', ['Ann', 'Ben', 'Cleo', 'Ben', 'Dot', 'Mina Rahman']],
    ['group', 'desc', ['Ben', 'Dot', 'Ann', 'Ben', 'Cleo', 'Mina Rahman']],
    // Pupils who have never read are first in ascending and last in descending order, by name.
    ['last_read_at', 'asc', ['Ann', 'Ben', 'Ben', 'Mina Rahman', 'Dot', 'Cleo']],
    ['last_read_at', 'desc', ['Cleo', 'Dot', 'Ann', 'Ben', 'Ben', 'Mina Rahman']],
  ] as const)('sorts pupils by %s %s', async (field, direction, expected) => {
    expect((await rows({ [field]: direction })).map(({ name }) => name)).toEqual(expected);
  });

  test('sorts pupils by username in both directions', async () => {
    const plain = [...sorted.ownClass.pupils, ...sorted.otherClass.pupils, sorted.unplaced]
      .map(({ username }) => username)
      .sort();
    expect((await rows({ username: 'asc' })).map(({ username }) => username)).toEqual(plain);
    expect((await rows({ username: 'desc' })).map(({ username }) => username)).toEqual(plain.toReversed());
  });

  test('the list of pupils states when each last read', async () => {
    const cleo = (await rows({ last_read_at: 'desc' }))[0];
    expect(cleo?.last_read_at).toBe(at(3));
  });
});

describe('a pupil', () => {
  const get = (pupilId: number | string, token = school.admin.token) =>
    app.call(pupilCalls.getPupil, { params: { id: school.id, readerId: pupilId }, token });

  test('a pupil is returned to an admin and a teacher, with their permission to change the pupil', async () => {
    const [pupil] = school.otherClass.pupils;
    const expected = {
      id: pupil?.id,
      name: "Finn O'Hara",
      username: pupil?.username,
      group: { id: school.otherClass.id, name: school.otherClass.name },
      year_group: null,
      last_read_at: null,
    };
    expect((await get(pupil?.id ?? 0)).reply).toEqual({ reader: { ...expected, can_update: true } });
    expect((await get(pupil?.id ?? 0, school.teacher.token)).reply).toEqual({
      reader: { ...expected, can_update: false },
    });
    expect((await get(school.unplaced.id, school.teacher.token)).reply).toMatchObject({
      reader: { group: null, can_update: true },
    });
  });

  test('answers 404 for a pupil who does not exist or is of another school', async () => {
    const foreign = otherSchool.ownClass.pupils[0]?.id ?? 0;
    for (const id of [
      foreign,
      999_999_999,
      Number.MAX_SAFE_INTEGER,
      '9999999999999999',
      '0',
      '-1',
      '1.5',
      '1e3',
      'me',
      '%00',
      "1'",
    ])
      expect((await get(id)).status).toBe(404);
  });
});
