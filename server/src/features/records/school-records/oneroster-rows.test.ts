import { expect, test } from 'vitest';
import { type OneRosterRows, toSchoolRecordsFile } from './oneroster-rows.service.ts';

const ROLE = { role: 'student', orgSourcedId: 'org' };
const user = (sourcedId: string, more: object = {}) => ({ sourcedId, givenName: 'Ada', familyName: 'Bell', ...more });
const enrolment = (userSourcedId: string, more: object = {}) => ({
  userSourcedId,
  classSourcedId: 'k1',
  role: 'student',
  ...more,
});
const read = (rows: Partial<OneRosterRows>, isComplete = true) =>
  toSchoolRecordsFile(
    {
      users: [user('p1')],
      roles: [{ userSourcedId: 'p1', ...ROLE }],
      classes: [{ sourcedId: 'k1', title: 'Year 4', classType: 'homeroom' }],
      enrollments: [],
      demographics: [],
      ...rows,
    },
    { isComplete, today: '2026-11-18', explainSchools: (schools) => `${schools} schools` },
  );

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
  expect(read({ roles: [{ userSourcedId: 'p1', ...ROLE }, former] }).pupils).toHaveLength(1);
  expect(() =>
    read({
      roles: [
        { userSourcedId: 'p1', ...ROLE },
        { ...former, endDate: '' },
      ],
    }),
  ).toThrow('2 schools');
});

test('the preferred names come first, and spaces around names are dropped', () => {
  const names = [
    { preferredGivenName: 'Addie', preferredFamilyName: 'Bee' },
    { preferredFamilyName: 'Bee' },
    { givenName: ' Ada', familyName: 'Bell ' },
    { givenName: '' },
    { givenName: undefined, familyName: undefined },
  ];
  const roles = names.map((_, n) => ({ userSourcedId: `p${n}`, ...ROLE }));
  const { pupils } = read({ users: names.map((name, n) => user(`p${n}`, name)), roles });
  expect(pupils.map(({ name }) => name)).toEqual(['Addie Bee', 'Ada Bee', 'Ada Bell', 'Bell', '']);
});

test.each([
  ['has ended', { endDate: '2026-11-17' }],
  ['is to be deleted', { status: 'tobedeleted' }],
  ['is that of a teacher', { role: 'teacher' }],
])('an enrolment that %s is ignored', (_name, more) => {
  const file = read({ enrollments: [enrolment('p1', more), enrolment('unknown', more)] });
  expect(file).toMatchObject({ pupils: [{ classIds: [] }], classes: [], notes: [] });
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
  expect(read({ enrollments }, false)).toMatchObject({
    pupils: [
      { sourceId: 'p1', name: 'Ada Bell', classIds: ['k1'] },
      { sourceId: 'p2', name: null, classIds: ['k2'] },
    ],
    notes: [],
  });
});

test('a note counts the people without a role, and staff are those with an email and a current role of staff', () => {
  const email = 'robin@reed.example';
  const users = [
    user('s1', { email: ` ${email} ` }),
    user('s2', { email: '' }),
    user('s3', { email, status: 'tobedeleted' }),
    user('s4', { email }),
    user('s5', { email }),
    user('s6', { email }),
  ];
  const roles = [
    ...['s1', 's2', 's3'].map((id) => ({ userSourcedId: id, role: 'teacher' })),
    { userSourcedId: 's4', role: 'parent' },
    { userSourcedId: 's5', role: 'aide', endDate: '2026-11-17' },
  ];
  expect(read({ users, roles })).toMatchObject({
    pupils: [],
    staff: [{ name: 'Ada Bell', email }],
    notes: ['People left out, because they have no role: 3.'],
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
