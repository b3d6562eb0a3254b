import { api } from '#contract/api.ts';
import type { Call } from '#contract/call.ts';
import { bookCalls } from '#contract/calls/books.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { pupilAssistantCalls } from '#contract/calls/pupil-assistants.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import {
  ASSIGNABLE_ROLES,
  type AssignableRole,
  isSchoolAction,
  type Role,
  roleAllows,
  ROLES,
} from '#contract/permissions.ts';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { testApp } from '../testing/app.ts';
import { CONTACT, type BuiltSchool, type Person } from '../testing/builder.ts';
import { exampleQuery, pathWithIds } from '../testing/example-requests.ts';

const app = testApp();
let school: BuiltSchool;
const people = new Map<Role, Person>();
const tokenOf = (role: Role) => people.get(role)?.token ?? '';

/** Pupils of the class in which the teaching assistant helps, of another class, and without a class. */
const OWN = ['Ottilie Own', 'Oscar Own'];
const OTHER = ['Felix Foreign', 'Fern Foreign'];
const UNPLACED = 'Mina Rahman';
const DATES = { start_date: '2026-11-01', end_date: '2026-11-18' };
const NOTE = 'Reads better in the morning';

beforeAll(async () => {
  school = await app.build.school({ ownPupils: OWN, otherPupils: OTHER });
  for (const role of ASSIGNABLE_ROLES) people.set(role, await app.build.staff(school, role));
  people.set('supply_teacher', await app.build.supplyTeacher(school, school.ownClass.id));
  await app.call(classCalls.addClassTeacher, {
    params: { id: school.id, groupId: school.ownClass.id, userId: people.get('teaching_assistant')?.id ?? 0 },
    token: school.admin.token,
  });
  for (const { id } of [...school.ownClass.pupils, ...school.otherClass.pupils, school.unplaced])
    await app.build.reading(school, id, [{ started_at: '2026-11-16T09:00:00.000Z', skipped_words: ['thimble'] }]);
  await app.call(pupilNoteCalls.addPupilNote, {
    params: { id: school.id, readerId: school.otherClass.pupils[0]?.id ?? 0 },
    body: { text: NOTE },
    token: school.admin.token,
  });
});

const calls = Object.values<Call>(api).filter(({ permission }) => isSchoolAction(permission));
const titleOf = (call: Call) => `${call.method} ${call.path}`;
const pathOf = (call: Call, target = school) =>
  pathWithIds(call, target, { id: crypto.randomUUID(), link: crypto.randomUUID() });

/** The sizes and last changes of all school tables. */
async function countRows(): Promise<unknown> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'school_id'
      and table_name not in ('sessions', 'daily_views') order by 1`.execute(app.database.kysely);
  const counts = rows.map(
    ({ name }) =>
      sql`select ${name}::text as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${sql.table(name)} t`,
  );
  return (await sql`${sql.join(counts, sql` union all `)}`.execute(app.database.kysely)).rows;
}

describe.each(calls.map((call) => [titleOf(call), call] as const))('%s', (_, call) => {
  test('answers 403 to every role without its right, and changes nothing', async () => {
    const before = await countRows();
    for (const role of ROLES) {
      const hasRight = isSchoolAction(call.permission) && roleAllows(role, call.permission);
      // The name of another school stops what the role would let through: 409.
      const { status } = await app.ask(call.method, pathOf(call) + (call.method === 'GET' ? exampleQuery(call) : ''), {
        token: tokenOf(role),
        ...(call.method !== 'GET' && hasRight && { headers: { 'portal-school': '0' } }),
      });
      expect([role, status === 403]).toEqual([role, !hasRight]);
    }
    if (call.method !== 'GET') expect(await countRows()).toEqual(before);
  });
});

const ownAccount = Object.values<Call>(api).filter(({ permission }) => permission === 'user');

test.each(ownAccount.map((call) => [titleOf(call), call] as const))(
  '%s answers 403 to a supply teacher, who has no account of their own, unless it works without an address',
  async (_, call) => {
    const { status } = await app.ask(call.method, pathOf(call), {
      token: tokenOf('supply_teacher'),
      headers: { 'portal-school': String(school.id) },
    });
    expect(status === 403).toBe(!['getMe', 'logOut'].includes(call.name));
    if (call.name === 'logOut') people.set('supply_teacher', await app.build.supplyTeacher(school, school.ownClass.id));
  },
);

describe('what a reply names', () => {
  /** The people about whom a request can be, and the log of changes, name pupils to those who may see them. */
  const NAMING = ['listDataSubjects', 'listAuditLog', 'exportAuditLog'];
  const reads = calls.filter(({ method, name }) => method === 'GET' && !NAMING.includes(name));
  const elsewhere = () => ({ ...school, ownClass: school.otherClass });
  const readsOf = (role: Role) =>
    reads.filter(({ permission }) => isSchoolAction(permission) && roleAllows(role, permission));

  test.each([
    ['teaching assistant', 'in which they do not help', 'teaching_assistant'],
    ['supply teacher', 'that they do not cover', 'supply_teacher'],
  ] as const)('no reply to a %s names a pupil of a class %s', async (_, __, role) => {
    for (const call of readsOf(role))
      for (const query of [exampleQuery(call), '?include=readers', '?length=100&groups=none', '?output=csv'])
        for (const target of [school, elsewhere()]) {
          const { text, status } = await app.ask(call.method, pathOf(call, target) + query, {
            token: tokenOf(role),
          });
          const named = [...OTHER, UNPLACED].filter((name) => text.includes(name));
          expect([call.name, query, named]).toEqual([call.name, query, []]);
          if (target !== school && /\{(readerId|groupId)\}/.test(call.path) && query === exampleQuery(call))
            expect([call.name, status]).toEqual([call.name, 404]);
        }
  });

  test.each(['business_manager', 'data_protection_officer'] as const)(
    'no reply to the role %s names a pupil',
    async (role) => {
      for (const call of readsOf(role))
        for (const query of [exampleQuery(call), '?include=readers', '?include=invoices,readers']) {
          const { text } = await app.ask(call.method, pathOf(call) + query, { token: tokenOf(role) });
          const named = [...OWN, ...OTHER, UNPLACED].filter((name) => text.includes(name));
          expect([call.name, query, named]).toEqual([call.name, query, []]);
        }
    },
  );

  test.each([
    ['teacher', 2],
    ['reading_lead', 2],
    ['teaching_assistant', 1],
    ['business_manager', 0],
    ['data_protection_officer', 0],
  ] as const)('the school has for the role %s %i classes', async (role, total) => {
    const { reply } = await app.call(schoolCalls.getSchool, { params: { id: school.id }, token: tokenOf(role) });
    expect(reply.enterprise.groups).toHaveLength(total);
    expect([
      reply.enterprise.user_manages,
      reply.enterprise.users.find(({ role: other }) => other === role),
    ]).toMatchObject([false, { enterprise_user_role: 'teacher', role }]);
  });
});

describe('a person of two schools', () => {
  const ELSEWHERE = ['Zelda Elsewhere', 'Zeno Elsewhere'];
  let other: BuiltSchool;
  beforeAll(async () => {
    other = await app.build.school({ ownPupils: ELSEWHERE });
    for (const { id } of other.ownClass.pupils)
      await app.build.reading(other, id, [{ started_at: '2026-11-16T09:00:00.000Z' }]);
  });
  const reads = calls.filter(({ method }) => method === 'GET');

  /** Sends every read in a session of one school, with the IDs of both. No reply may name a pupil of the other. */
  async function expectNothingOf(foreign: BuiltSchool, own: BuiltSchool, names: readonly string[], token: string) {
    for (const call of reads)
      for (const query of [exampleQuery(call), '?include=readers', '?length=100', '?output=csv'])
        for (const target of [own, foreign]) {
          const { text, status } = await app.ask(call.method, pathOf(call, target) + query, { token });
          expect([call.name, query, names.filter((name) => text.includes(name))]).toEqual([call.name, query, []]);
          if (target === foreign && /\{(id|readerId|groupId)\}/.test(call.path))
            expect([call.name, [403, 404].includes(status)]).toEqual([call.name, true]);
        }
  }

  test.each(ASSIGNABLE_ROLES)(
    'a person with the role %s here, and an admin elsewhere, gets nothing of the other school, also after a switch',
    async (role) => {
      const person = await app.build.staff(school, role);
      await app.build.join(person, other, 'admin');
      await expectNothingOf(other, school, ELSEWHERE, person.token);
      const body = { enterprise_id: other.id };
      expect((await app.call(membershipCalls.switchSchool, { token: person.token, body })).status).toBe(200);
      await expectNothingOf(school, other, [...OWN, ...OTHER], person.token);
    },
  );
});

describe('a teaching assistant', () => {
  const schoolWithAssistant = async () => {
    const built = await app.build.school({ otherPupils: OTHER });
    return { school: built, assistant: await app.build.staff(built, 'teaching_assistant') };
  };
  const ask = <C extends Call>(call: C, params: object, more: object = {}) =>
    app.call(call, { params: { id: school.id, ...params }, token: tokenOf('teaching_assistant'), ...more } as never);

  test('sees the pupils of their classes, whom they cannot change', async () => {
    const { reply } = await app.call(pupilCalls.listPupils, {
      params: { id: school.id },
      token: tokenOf('teaching_assistant'),
    });
    expect(reply.readers.map(({ name, can_update }) => [name, can_update])).toEqual(
      [...OWN].sort().map((name) => [name, false]),
    );
    expect(reply.meta).toMatchObject({ total: 2, total_filtered: 2 });
  });

  test('is listed as an assistant of the class and not as its teacher', async () => {
    const { reply } = await app.call(classCalls.getClass, {
      params: { id: school.id, groupId: school.ownClass.id },
      token: school.admin.token,
    });
    expect(reply.group.teachers.map(({ id }) => id)).toEqual([school.teacher.id]);
    expect(reply.group.assistants.map(({ id }) => id)).toEqual([people.get('teaching_assistant')?.id]);
  });

  test('renews the logins of pupils of their classes, and of no others', async () => {
    const reset = (pupilId: number) => ask(loginCardCalls.resetPasswords, {}, { body: { reader_ids: [pupilId] } });
    expect((await reset(school.ownClass.pupils[0]?.id ?? 0)).status).toBe(200);
    for (const pupil of [school.otherClass.pupils[0], school.unplaced])
      expect((await reset(pupil?.id ?? 0)).status).toBe(404);
    const { reply } = await app.call(pupilCalls.listPupilLogins, {
      params: { id: school.id },
      token: tokenOf('teaching_assistant'),
    });
    expect(reply.readers.map(({ name }) => name)).toEqual([...OWN].sort());
  });

  test('sees a pupil of another class whom they help, until it ends, and no other pupil of that class', async () => {
    const { school: other, assistant } = await schoolWithAssistant();
    const [helped, classmate] = other.otherClass.pupils;
    const params = { id: other.id, readerId: helped?.id ?? 0, userId: assistant.id };
    const add = () => app.call(pupilAssistantCalls.addPupilAssistant, { params, token: other.admin.token });
    const see = (pupilId = 0) =>
      app.call(pupilCalls.getPupil, { params: { id: other.id, readerId: pupilId }, token: assistant.token });
    const list = async () =>
      (await app.call(pupilCalls.listPupils, { params: { id: other.id }, token: assistant.token })).reply.readers
        .length;
    expect([(await see(helped?.id)).status, await list()]).toEqual([404, 0]);
    expect([(await add()).status, (await add()).status]).toEqual([200, 200]);
    expect([(await see(helped?.id)).status, (await see(classmate?.id)).status, await list()]).toEqual([200, 404, 1]);
    const chart = await app.call(chartCalls.compareFigures, {
      query: { ...DATES, reader_id: helped?.id } as never,
      token: assistant.token,
    });
    expect(chart.status).toBe(200);
    const reset = await app.call(loginCardCalls.resetPasswords, {
      params: { id: other.id },
      body: { reader_ids: [helped?.id ?? 0] },
      token: assistant.token,
    });
    expect(reset.status).toBe(200);
    await app.call(pupilAssistantCalls.removePupilAssistant, { params, token: other.admin.token });
    expect([(await see(helped?.id)).status, await list()]).toEqual([404, 0]);
  });

  test('sees no pupil whom they helped before they changed role or left', async () => {
    const { school: other, assistant } = await schoolWithAssistant();
    const params = { id: other.id, readerId: other.otherClass.pupils[0]?.id ?? 0, userId: assistant.id };
    const assistants = async () =>
      (await app.call(pupilAssistantCalls.listPupilAssistants, { params, token: other.admin.token })).reply.assistants
        .length;
    const add = () => app.call(pupilAssistantCalls.addPupilAssistant, { params, token: other.admin.token });
    const setRole = (role: AssignableRole) =>
      app.call(teacherCalls.setStaffRole, { params, body: { role }, token: other.admin.token });
    await add();
    expect(await assistants()).toBe(1);
    await setRole('teacher');
    expect((await add()).error).toMatchObject({
      error: expect.stringContaining('not a teaching assistant') as string,
    });
    await setRole('teaching_assistant');
    expect(await assistants()).toBe(0);
    await add();
    await app.call(teacherCalls.removeTeacher, { params, token: other.admin.token });
    const { rows } = await sql`select from pupil_assistants where user_id = ${assistant.id}`.execute(
      app.database.kysely,
    );
    expect(rows).toEqual([]);
  });

  test('is given a pupil by those who can change the pupil, and a pupil has at most ten', async () => {
    const { school: other } = await schoolWithAssistant();
    const ownPupilId = other.ownClass.pupils[0]?.id ?? 0;
    const assistants = await Promise.all(
      Array.from({ length: 11 }, () => app.build.staff(other, 'teaching_assistant')),
    );
    const add = (userId: number, pupilId: number, token: string) =>
      app.call(pupilAssistantCalls.addPupilAssistant, { params: { id: other.id, readerId: pupilId, userId }, token });
    const answers = [];
    for (const { id } of assistants) answers.push(await add(id, ownPupilId, other.teacher.token));
    expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 409]);
    expect(answers.at(-1)?.error.code).toBe('pupil_assistants_full');
    const foreign = await add(assistants[0]?.id ?? 0, other.otherClass.pupils[0]?.id ?? 0, other.teacher.token);
    expect(foreign.error.code).toBe('pupil_not_managed');
  });

  test('gets the charts of their classes by default, and 404 for other classes and pupils', async () => {
    const chart = (query: object) =>
      app.call(chartCalls.compareFigures, {
        query: { ...DATES, ...query },
        token: tokenOf('teaching_assistant'),
      });
    expect((await chart({})).status).toBe(200);
    expect((await chart({ group_id: school.ownClass.id })).status).toBe(200);
    for (const query of [
      { group_id: school.otherClass.id },
      { reader_id: school.otherClass.pupils[0]?.id },
      { reader_id: school.unplaced.id },
    ])
      expect((await chart(query)).status).toBe(404);
  });
});

describe('a reading lead', () => {
  const token = () => tokenOf('reading_lead');
  const other = () => ({
    id: school.id,
    readerId: school.otherClass.pupils[0]?.id ?? 0,
    groupId: school.otherClass.id,
  });

  test('reads and writes notes about pupils of every class, and sees why each needs help', async () => {
    const { reply } = await app.call(pupilNoteCalls.listPupilNotes, { params: other(), token: token() });
    expect(reply.notes.map(({ text }) => text)).toEqual([NOTE]);
    const unplaced = { id: school.id, readerId: school.unplaced.id };
    const added = await app.call(pupilNoteCalls.addPupilNote, {
      params: unplaced,
      body: { text: 'New here' },
      token: token(),
    });
    expect(added.status).toBe(200);
    const needs = await app.call(readingNeedsCalls.listPupilNeeds, { params: other(), token: token() });
    expect(needs.status).toBe(200);
    const list = (query: object) =>
      app.call(readingNeedsCalls.listReadingNeeds, {
        params: { id: school.id },
        query: query,
        token: token(),
      });
    expect((await list({ group_id: school.otherClass.id })).status).toBe(200);
  });

  test('assigns books to every class and pupil, and changes neither another’s class nor its pupils', async () => {
    const { reply } = await app.call(bookCalls.listClassBooks, { params: other(), token: token() });
    expect(reply.meta.can_assign).toBe(true);
    for (const call of [bookCalls.assignBookToClass, bookCalls.assignBookToPupil])
      expect((await app.call(call, { params: { ...other(), bookId: 101 }, token: token() })).status).toBe(200);
    const rename = await app.call(pupilCalls.renamePupil, {
      params: other(),
      body: { name: 'New Name' },
      token: token(),
    });
    expect(rename.error.code).toBe('pupil_not_managed');
    const reset = await app.call(loginCardCalls.resetPasswords, {
      params: { id: school.id },
      body: { reader_ids: [other().readerId] },
      token: token(),
    });
    expect(reset.error.code).toBe('pupil_not_managed');
    const removal = await app.call(classCalls.removeClass, { params: other(), token: token() });
    expect(removal.error.code).toBe('class_not_managed');
  });

  test('starts with the whole school', async () => {
    const figures = await app.call(chartCalls.compareFigures, { query: DATES, token: token() });
    const ofAdmin = await app.call(chartCalls.compareFigures, { query: DATES, token: school.admin.token });
    expect(figures.reply).toEqual(ofAdmin.reply);
  });
});

test('a business manager changes the contacts, and not the school', async () => {
  const token = tokenOf('business_manager');
  const params = { id: school.id };
  const contact = await app.call(schoolDetailsCalls.updateContact, {
    params,
    body: { contact: CONTACT },
    token,
  });
  expect(contact.status).toBe(200);
  expect((await app.call(downloadCalls.exportSchoolInvoices, { params, token })).status).toBe(200);
});
