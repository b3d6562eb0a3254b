import { describe, expect, test } from 'vitest';
import type { SchoolRecordsFile } from './file-content.service.ts';
import { toSchoolRecordsFile } from './oneroster-rows.service.ts';
import type { FileName, Row } from './oneroster-values.service.ts';

type Cells = Row['cells'];
const ROLE = { role: 'student', orgSourcedId: 'org' };
const user = (sourcedId: string, more: Cells = {}): Cells => ({
  sourcedId,
  givenName: 'Ada',
  familyName: 'Bell',
  ...more,
});
const enrolment = (userSourcedId: string, more: Cells = {}): Cells => ({
  userSourcedId,
  classSourcedId: 'k1',
  role: 'student',
  ...more,
});
const toRows = (cells: readonly Cells[]): Row[] => cells.map((row, index) => ({ number: index + 2, cells: row }));
const readAll = (
  rows: Partial<Record<FileName, Cells[]>>,
  { isComplete = true, school = null as string | null } = {},
) =>
  toSchoolRecordsFile(
    {
      users: toRows(rows.users ?? [user('p1')]),
      roles: toRows(rows.roles ?? [{ userSourcedId: 'p1', ...ROLE }]),
      classes: toRows(rows.classes ?? [{ sourcedId: 'k1', title: 'Year 4', classType: 'homeroom' }]),
      enrollments: toRows(rows.enrollments ?? []),
      demographics: toRows(rows.demographics ?? []),
      orgs: toRows(rows.orgs ?? []),
    },
    { isComplete, today: '2026-11-18', school, describePlace: (file, number) => `${file}.csv, row ${number}` },
  );
function read(...given: Parameters<typeof readAll>): SchoolRecordsFile {
  const { file } = readAll(...given);
  if (!file) throw new Error('The school must be chosen.');
  return file;
}
const UNCHANGED = { name: null, classIds: [], isGone: false };

test.each([
  ['with a role that is to be deleted has left', [{ status: 'tobedeleted' }], true],
  ['with a role that has ended has left', [{ endDate: '2026-11-17' }], true],
  ['with a former and a current role is present', [{ endDate: '2026-11-17' }, {}], false],
  ['with a current and a former role is present', [{}, { endDate: '2026-11-17' }], false],
])('a pupil %s', (_name, roles, isGone) => {
  const { pupils } = read({ roles: roles.map((role) => ({ userSourcedId: 'p1', ...ROLE, ...role })) });
  expect(pupils).toMatchObject([{ isGone }]);
});

test('a school that all its pupils have left does not count as a second school', () => {
  const former = { userSourcedId: 'p1', ...ROLE, orgSourcedId: 'other', endDate: '2026-11-17' };
  const current = { userSourcedId: 'p1', ...ROLE };
  expect(read({ roles: [current, former] }).pupils).toHaveLength(1);
  expect(readAll({ roles: [current, { ...former, endDate: '' }] })).toMatchObject({ file: null });
});

describe('a source with pupils of two schools', () => {
  const roles = [
    { userSourcedId: 'p1', role: 'student', orgSourcedId: 'infants' },
    { userSourcedId: 'p2', role: 'student', orgSourcedId: 'infants' },
    { userSourcedId: 'p2', role: 'student', orgSourcedId: 'juniors' },
    { userSourcedId: 'p3', role: 'student', orgSourcedId: 'juniors' },
    { userSourcedId: 'p4', role: 'student', orgSourcedId: 'juniors', endDate: '2026-07-20' },
    { userSourcedId: 's1', role: 'teacher', orgSourcedId: 'infants' },
    { userSourcedId: 's2', role: 'teacher', orgSourcedId: 'juniors' },
    { userSourcedId: 's3', role: 'teacher', orgSourcedId: 'trust' },
  ];
  const orgs = [
    { sourcedId: 'infants', name: 'Oak Infants', type: 'school' },
    { sourcedId: 'juniors', name: 'Oak Juniors', type: 'school' },
    { sourcedId: 'trust', name: 'Oak Trust', type: 'district' },
  ];
  const staff = ['s1', 's2', 's3'].map((id) => user(id, { email: `${id}@oak.example` }));
  const users = [...['p1', 'p2', 'p3', 'p4'].map((id) => user(id)), ...staff];
  const classes = [
    { sourcedId: 'k1', title: 'Wrens', schoolSourcedId: 'infants' },
    { sourcedId: 'k2', title: 'Owls', schoolSourcedId: 'juniors' },
  ];
  const enrollments = [enrolment('p1'), enrolment('p2'), enrolment('p2', { classSourcedId: 'k2' })];
  const rows = { roles, orgs, users, classes, enrollments };

  test('a source with pupils of two schools lists the schools until one of them is chosen', () => {
    const schools = [
      { source_id: 'infants', name: 'Oak Infants', pupils: 2 },
      { source_id: 'juniors', name: 'Oak Juniors', pupils: 2 },
    ];
    expect(readAll(rows)).toEqual({ schools, file: null });
    expect(readAll(rows, { school: 'another' })).toEqual({ schools, file: null });
    expect(readAll(rows, { school: 'infants' })).toMatchObject({ schools, file: {} });
  });

  test('the chosen school has only its own pupils, classes and leavers, and the staff of no other school', () => {
    const infants = read(rows, { school: 'infants' });
    expect(infants.pupils).toMatchObject([
      { sourceId: 'p1', classIds: ['k1'] },
      { sourceId: 'p2', classIds: ['k1'] },
    ]);
    expect(infants.staff.map(({ email }) => email)).toEqual(['s1@oak.example', 's3@oak.example']);
    expect(infants.classes.map(({ name }) => name)).toEqual(['Wrens']);
    expect(infants.notes).toEqual(['Only the pupils of one school of 2 were read: Oak Infants.']);
    // A class of another school counts for a pupil who is at one school alone.
    const shared = [...enrollments, enrolment('p3')];
    const juniors = read({ ...rows, enrollments: shared }, { school: 'juniors' });
    expect(juniors.pupils).toMatchObject([
      { sourceId: 'p2', classIds: ['k2'] },
      { sourceId: 'p3', classIds: ['k1'] },
      { sourceId: 'p4', isGone: true },
    ]);
    expect(juniors.notes.slice(1)).toEqual([
      'Pupils who are no longer at the school, because their role has ended: 1.',
    ]);
  });

  test('a trust or local authority is no school, unless no pupil has another', () => {
    const ofTrust = (userSourcedId: string) => ({ userSourcedId, role: 'student', orgSourcedId: 'trust' });
    const both = [...roles.slice(0, 2), ofTrust('p1'), ofTrust('p2')];
    expect(readAll({ ...rows, roles: both }).schools.map(({ name }) => name)).toEqual(['Oak Infants']);
    expect(read({ ...rows, roles: both }).pupils.filter(({ name }) => name)).toHaveLength(2);
    expect(readAll({ ...rows, roles: [ofTrust('p1')] }).schools.map(({ name }) => name)).toEqual(['Oak Trust']);
  });

  test('a pupil who is to be deleted is at no school', () => {
    const gone = [...users.slice(0, 1), user('p2', { status: 'tobedeleted' }), user('p3', { status: 'inactive' })];
    expect(readAll({ ...rows, users: gone }).schools.map(({ name }) => name)).toEqual(['Oak Infants']);
  });

  test('a source without the chosen school lists its own school', () => {
    const { schools, file } = readAll({}, { school: 'infants' });
    expect([schools, file]).toEqual([[{ source_id: 'org', name: 'org', pupils: 1 }], null]);
  });
});

test('the preferred names come first, and spaces around names are dropped', () => {
  const names = [
    { preferredGivenName: 'Addie', preferredFamilyName: 'Bee' },
    { preferredFamilyName: 'Bee' },
    { givenName: ' Ada', familyName: 'Bell ' },
    { givenName: '', preferredGivenName: 'Addie' },
  ];
  const roles = names.map((_, n) => ({ userSourcedId: `p${n}`, ...ROLE }));
  const { pupils } = read({ users: names.map((name, n) => user(`p${n}`, name)), roles });
  expect(pupils.map(({ name }) => name)).toEqual(['Addie Bee', 'Ada Bee', 'Ada Bell', 'Addie Bell']);
});

describe('a record that cannot be read', () => {
  const two = (more: Cells, roleMore: Cells = {}) => ({
    users: [user('p1'), user('p2', more)],
    roles: [
      { userSourcedId: 'p1', ...ROLE },
      { userSourcedId: 'p2', ...ROLE, ...roleMore },
    ],
  });
  test.each<[string, Cells, Cells, string]>([
    ['an unknown status', { status: 'gone' }, {}, 'users.csv, row 3: status is neither active nor tobedeleted.'],
    ['no first name', { givenName: ' ' }, {}, 'users.csv, row 3: givenName is empty.'],
    ['no surname', { familyName: '' }, {}, 'users.csv, row 3: familyName is empty.'],
    ['a wrong end', {}, { endDate: '20-07' }, 'roles.csv, row 3: endDate “20-07” is not a date.'],
    ['a wrong begin', {}, { beginDate: '31/02/2026' }, 'roles.csv, row 3: beginDate “31/02/2026” is not a date.'],
    ['a name as a date', {}, { endDate: 'Ada Bell' }, 'roles.csv, row 3: endDate is not a date.'],
    [
      'an unknown status of a role',
      {},
      { status: 'old' },
      'roles.csv, row 3: status is neither active nor tobedeleted.',
    ],
  ])(
    'a pupil with %s is left out and unchanged, and the notes name file, row and column',
    (_name, more, role, fault) => {
      const { pupils, notes } = read(two(more, role));
      expect(pupils).toMatchObject([{ name: 'Ada Bell' }, { sourceId: 'p2', ...UNCHANGED }]);
      expect(notes).toEqual([`${fault} The pupil was left out.`]);
    },
  );

  test('a user without a role, or with one that OneRoster does not know, is left out and unchanged', () => {
    const { pupils, notes } = read(two({}, { role: 'studnet' }));
    expect(pupils).toMatchObject([{}, UNCHANGED]);
    expect(notes).toEqual(['roles.csv, row 3: role is not one of OneRoster. The person was left out.']);
    const without = read({ users: [user('p1'), user('p2')] });
    expect(without.pupils).toMatchObject([{}, UNCHANGED]);
    expect(without.notes).toEqual(['users.csv, row 3: no role is stated for this user. The pupil was left out.']);
  });

  test('a pupil with a current role is read, whatever another role has', () => {
    const roles = [
      { userSourcedId: 'p1', ...ROLE, endDate: 'soon' },
      { userSourcedId: 'p1', ...ROLE },
    ];
    expect(read({ roles }).pupils).toMatchObject([{ name: 'Ada Bell', isGone: false }]);
  });

  test('a pupil with an enrolment that cannot be read keeps the class, because a second class is no homeroom', () => {
    const enrollments = [enrolment('p1', { classSourcedId: 'phonics' }), enrolment('p1', { endDate: '?' })];
    const classes = [
      { sourcedId: 'k1', title: 'Year 4' },
      { sourcedId: 'phonics', title: 'Phonics' },
    ];
    const { pupils, notes } = read({ enrollments, classes });
    expect(pupils).toMatchObject([{ name: 'Ada Bell', classIds: [] }]);
    expect(notes).toEqual(['enrollments.csv, row 3: endDate is not a date. The record was left out.']);
  });

  test('a class with an unknown status, without an ID or with one that is there twice is left out', () => {
    const classes = [
      { sourcedId: 'k1', title: 'Year 4', status: 'Active' },
      { sourcedId: 'k2', title: 'Year 5', status: 'old' },
      { sourcedId: '', title: 'Year 6' },
      { sourcedId: 'k1', title: 'Year 3' },
    ];
    const file = read({ classes, enrollments: [enrolment('p1')] });
    expect(file.classes).toEqual([{ sourceId: 'k1', name: 'Year 4', isHomeroom: false }]);
    expect(file.notes.map((note) => note.split(':')[0])).toEqual([3, 4, 5].map((row) => `classes.csv, row ${row}`));
  });

  test('a year group and a date of birth that cannot be read are left out, and the pupil is read', () => {
    const demographics = [{ sourcedId: 'p1', birthDate: '12/25/2018' }];
    const { pupils, notes } = read({ users: [user('p1', { grades: 'Seedlings' })], demographics });
    expect(pupils).toMatchObject([{ name: 'Ada Bell', yearGroup: null, birthDate: null }]);
    expect(notes).toEqual([
      'users.csv, row 2: grades is not a year group. The pupil was read without it.',
      'demographics.csv, row 2: birthDate is not a date with the day first. The pupil was read without it.',
    ]);
  });

  test('the notes name at most 20 records, and count the others', () => {
    const ids = Array.from({ length: 25 }, (_, n) => `p${n}`);
    const users = [user('p'), ...ids.map((id) => user(id, { familyName: '', grades: '?' }))];
    const roles = users.map(({ sourcedId }) => ({ userSourcedId: sourcedId, ...ROLE }));
    const { notes } = read({ users, roles });
    expect(notes).toHaveLength(21);
    expect(notes.at(-1)).toBe('And 5 more.');
  });
});

describe('dates', () => {
  test.each([
    ['20/07/2027', '01/09/2025'],
    ['20/7/27', '1/9/25'],
    ['2027-07-20T00:00:00.000Z', '2025-09-01T00:00:00.000Z'],
    ['46588', '45901'],
    ['20 July 2027', '1 Sep 2025'],
  ])('a role until %s from %s is current', (endDate, beginDate) => {
    const { pupils, notes } = read({ roles: [{ userSourcedId: 'p1', ...ROLE, beginDate, endDate }] });
    expect(pupils).toMatchObject([{ name: 'Ada Bell', isGone: false }]);
    expect(notes).toEqual([]);
  });

  test('a role until 17/11/2026 has ended, and one from 19/11/2026 begins later, which the notes count', () => {
    const users = [user('p1'), user('p2')];
    const roles = [
      { userSourcedId: 'p1', ...ROLE, endDate: '17/11/2026' },
      { userSourcedId: 'p2', ...ROLE, beginDate: '19/11/2026' },
    ];
    const { pupils, notes } = read({ users, roles });
    expect(pupils).toMatchObject([{ isGone: true }, { isGone: true }]);
    expect(notes).toEqual([
      'Pupils who are no longer at the school, because their role has ended: 1.',
      'Pupils who are not yet at the school, because their role begins later: 1.',
    ]);
  });

  test('in a column with a date that has the month first, no date is read that could be either', () => {
    const users = ['p1', 'p2', 'p3', 'p4'].map((id) => user(id));
    const dates = ['07/20/2027', '01/09/2027', '2027-07-20', '20/07/2027'];
    const roles = dates.map((endDate, n) => ({ userSourcedId: `p${n + 1}`, ...ROLE, endDate }));
    const { pupils, notes } = read({ users, roles });
    expect(pupils.filter(({ name }) => name !== null).map(({ sourceId }) => sourceId)).toEqual(['p3', 'p4']);
    expect(notes[1]).toBe(
      'roles.csv, row 3: endDate “01/09/2027” may have the month first. Export dates as 2027-07-20. The pupil was left out.',
    );
  });
});

test.each([
  ['Student', 'ACTIVE', false],
  [' student ', '', false],
  ['student', 'ToBeDeleted', true],
  ['student', 'inactive', true],
])('a user with the role "%s" and the status "%s" is a pupil: has left %s', (role, status, isGone) => {
  const roles = [{ userSourcedId: 'p1', ...ROLE, role }];
  expect(read({ users: [user('p1', { status })], roles })).toMatchObject({ pupils: [{ isGone }], notes: [] });
});

test.each<[string, Cells, string[]]>([
  ['has ended', { endDate: '2026-11-17' }, ['Enrolments left out, because they have ended: 2.']],
  ['begins later', { beginDate: '2026-11-19' }, ['Enrolments left out, because they begin later: 2.']],
  ['is to be deleted', { status: 'tobedeleted' }, ['Enrolments left out, because they have ended: 2.']],
  ['is that of a teacher', { role: 'teacher' }, []],
])('an enrolment that %s is left out and counted', (_name, more, notes) => {
  const file = read({ enrollments: [enrolment('p1', more), enrolment('unknown', more)] });
  expect(file).toMatchObject({ pupils: [{ classIds: [] }], classes: [], notes });
});

test('a note counts the enrolments without their pupil or class', () => {
  const enrollments = [enrolment('p1'), enrolment('p1'), enrolment('p2'), enrolment('p1', { classSourcedId: 'k2' })];
  expect(read({ enrollments })).toMatchObject({
    pupils: [{ classIds: ['k1'] }],
    notes: ['Enrolments left out, because their pupil or class is missing: 2.'],
  });
});

test('an enrolment in a partial bundle adds an unknown pupil without a name, and keeps the name of a known one', () => {
  const enrollments = [enrolment('p1'), enrolment('p2', { classSourcedId: 'k2' })];
  expect(read({ enrollments }, { isComplete: false })).toMatchObject({
    pupils: [
      { sourceId: 'p1', name: 'Ada Bell', classIds: ['k1'] },
      { sourceId: 'p2', name: null, classIds: ['k2'] },
    ],
    notes: [],
  });
});

test('staff are the people with an email and a current role of staff, each once, also with two IDs', () => {
  const email = 'robin@reed.example';
  const users = [
    user('s1', { email: ` ${email} ` }),
    user('s2', { email: '' }),
    user('s3', { email: 'sam@reed.example', status: 'tobedeleted' }),
    user('s4', { email: 'parent@reed.example' }),
    user('s5', { email: 'former@reed.example' }),
    user('s6', { email: 'Robin@Reed.example' }),
  ];
  const roles = [
    ...['s1', 's2', 's3'].map((id) => ({ userSourcedId: id, role: 'teacher' })),
    { userSourcedId: 's4', role: 'parent' },
    { userSourcedId: 's5', role: 'aide', endDate: '2026-11-17' },
    { userSourcedId: 's6', role: 'administrator' },
  ];
  expect(read({ users, roles })).toMatchObject({
    pupils: [],
    staff: [{ name: 'Ada Bell', email }],
    notes: [],
  });
});

describe('staff who may be missing', () => {
  const teacher = (id: string, more: object = {}) => user(id, { email: `${id}@oak.example`, ...more });
  const role = (id: string, more: object = {}) => ({ userSourcedId: id, role: 'teacher', ...more });
  const unclear = (users: Cells[], roles: Cells[], more: object = {}) =>
    read({ users: [teacher('s1'), ...users], roles: [role('s1'), ...roles], ...more }).unclearStaff;

  test('staff whose role cannot be read, begins later or is missing may be staff; those who have left or are pupils or parents are not', () => {
    const ids = ['s2', 's3', 's4', 's5', 's6', 's7', 's8'];
    expect(
      unclear(
        ids.map((id) => teacher(id, id === 's8' ? { status: 'tobedeleted' } : {})),
        [
          role('s2', { endDate: 'soon' }),
          role('s3', { beginDate: '2027-01-05' }),
          role('s4', { role: 'wizard' }),
          role('s5', { endDate: '2026-01-05' }),
          role('s6', { role: 'parent' }),
          role('s8'),
        ],
      ),
    ).toEqual(['s2@oak.example', 's3@oak.example', 's4@oak.example', 's7@oak.example']);
    expect(unclear([teacher('p1')], [role('p1', { role: 'student', endDate: 'soon' })])).toEqual([]);
  });

  test('a status that cannot be read leaves a member of staff on it', () => {
    expect(unclear([teacher('s2', { status: 'perhaps' })], [role('s2')])).toEqual(['s2@oak.example']);
  });

  test('records without any staff, and an incomplete bundle, say nothing about missing staff', () => {
    const one = { users: [user('p1')], roles: [{ userSourcedId: 'p1', role: 'student' }] };
    expect(read(one).unclearStaff).toBeNull();
    expect(unclear([], [])).toEqual([]);
  });
});

test.each([
  [{ identifier: ' B801200005001 ' }, 'B801200005001'],
  [{ userIds: '{MIS:7},{UPN:B801200005001}' }, 'B801200005001'],
  [{ identifier: 'B801200005002', userIds: '{upn:B801200005001}' }, 'B801200005001'],
  [{ identifier: 'B801200005002' }, null],
  [{ userIds: '{MIS:B801200005001}' }, null],
  [{}, null],
])('the UPN in %o is %s', (more, upn) => {
  expect(read({ users: [user('p1', more)] }).pupils).toMatchObject([{ upn }]);
});
