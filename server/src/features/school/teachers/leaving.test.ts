import type { BodyOf } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { coverCalls } from '#contract/calls/covers.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { MAX_HANDOVERS } from '#contract/limits.ts';
import { ASSIGNABLE_ROLES, isTeachingRole } from '#contract/permissions.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inSchool } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';
import { sendMail } from '../../../mail/mail.ts';

const app = testApp();
const NOW = '2026-11-18T09:00:00.000Z';
const LATER = '2026-11-18T15:00:00.000Z';

let school: BuiltSchool;
let leaver: Person;
let colleague: Person;
beforeEach(async () => {
  app.setTime(NOW);
  school = await app.build.school();
  leaver = school.teacher;
  colleague = await app.build.staff(school, 'teacher');
});

const here = <T extends object>(more: T = {} as T) => ({ id: school.id, ...more });
const admin = () => ({ token: school.admin.token });
type Handovers = BodyOf<typeof teacherCalls.recordLeaver>['handovers'];
const leave = (handovers: Handovers = [], by = school.admin, person: { id: number } = leaver) =>
  app.call(teacherCalls.recordLeaver, {
    token: by.token,
    params: here({ userId: person.id }),
    body: { handovers },
  });
const toColleague = (classId = school.ownClass.id) => ({ group_id: classId, user_id: colleague.id });
const readClass = async (classId = school.ownClass.id) =>
  (await app.call(classCalls.getClass, { ...admin(), params: here({ groupId: classId }) })).reply.group;
const teachersOf = async (classId?: number) => (await readClass(classId)).teachers.map(({ id }) => id);
const add = (person: Person, classId = school.ownClass.id) =>
  app.call(classCalls.addClassTeacher, { ...admin(), params: here({ groupId: classId, userId: person.id }) });
const setRole = (person: Person, role: 'teaching_assistant' | 'business_manager') =>
  app.call(teacherCalls.setStaffRole, { ...admin(), params: here({ userId: person.id }), body: { role } });
const listStaff = async () =>
  (await app.call(schoolCalls.getSchool, { ...admin(), params: here() })).reply.enterprise.users.map(({ id }) => id);
const changes = async () =>
  (await app.call(schoolCalls.listAuditLog, { ...admin(), params: here() })).reply.entries.map(
    ({ action, subject_id, details }) => ({ action, subject: Number(subject_id), details }),
  );
const meOf = ({ token }: { token: string }) => app.call(accessCalls.getMe, { token });
const logIn = ({ email }: Person) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
const cover = (person: Person, by: Person = school.admin, classId = school.otherClass.id) =>
  app.call(coverCalls.startCover, {
    token: by.token,
    params: here(),
    body: { group_id: classId, user_id: person.id, ends_at: LATER },
  });
const listCovers = async () => (await app.call(coverCalls.listCovers, { ...admin(), params: here() })).reply.covers;
const rejoin = async (person: Person) => {
  const { link } = await app.build.invite(school, person.email);
  const { token } = (await logIn(person)).reply.meta;
  expect((await app.call(inviteCalls.acceptInvite, { token, params: { inviteId: link } })).status).toBe(200);
  return { token: (await logIn(person)).reply.meta.token };
};
/** Another class of the person who leaves. */
const buildClass = (name: string, managerId = leaver.id) => app.build.newClass(school, name, managerId);
/** That nothing has happened. */
async function expectStillThere() {
  expect((await listStaff()).sort()).toEqual([school.admin.id, leaver.id, colleague.id].sort());
  expect(await teachersOf()).toEqual([leaver.id]);
  expect((await meOf(leaver)).status).toBe(200);
  expect((await changes()).filter(({ action }) => action.startsWith('teacher_'))).toEqual([]);
}

describe('leaving', () => {
  test('the new teachers have the classes that are handed over, and the others have no teacher', async () => {
    const [second, third] = [await buildClass('Year 4'), await buildClass('Year 5')];
    const { status } = await leave([toColleague(), { group_id: second, user_id: school.admin.id }]);
    expect(status).toBe(200);
    expect([await teachersOf(), await teachersOf(second), await teachersOf(third)]).toEqual([
      [colleague.id],
      [school.admin.id],
      [],
    ]);
    expect(await listStaff()).not.toContain(leaver.id);
    expect((await meOf(leaver)).status).toBe(401);
    expect((await logIn(leaver)).reply.user.enterprise).toBeNull();
    const seen = await app.call(classCalls.getClass, {
      token: colleague.token,
      params: here({ groupId: school.ownClass.id }),
    });
    expect(seen.reply.group.user_manages).toBe(true);
  });

  test('the changes list each class with its new teacher, and then the removal with the classes handed over', async () => {
    await buildClass('Year 4');
    await leave([toColleague()]);
    expect(await changes()).toMatchObject([
      { action: 'teacher_removed', subject: leaver.id, details: { role: 'teacher', classes: 1, handed_over: 1 } },
      { action: 'teacher_assigned', subject: school.ownClass.id, details: { name: school.ownClass.name } },
    ]);
    const stored = app.database.kysely
      .selectFrom('audit_log')
      .select('details')
      .where('school_id', '=', school.id)
      .where('action', '=', 'teacher_assigned');
    expect((await stored.execute()).map(({ details }) => details)).toMatchObject([{ teacher_id: colleague.id }]);
  });

  test('without a class to hand over, leaving is the same as being removed', async () => {
    expect((await leave()).status).toBe(200);
    expect(await teachersOf()).toEqual([]);
    expect(await changes()).toEqual([
      { action: 'teacher_removed', subject: leaver.id, details: { role: 'teacher', classes: 1 } },
    ]);
  });

  test('a class that is handed over keeps its other teachers, and the new teacher takes the place of the one who leaves', async () => {
    const further = await app.build.staff(school, 'teacher');
    await add(further);
    app.setTime('2026-11-18T10:00:00.000Z');
    await leave([toColleague()]);
    expect(await teachersOf()).toEqual([colleague.id, further.id]);
  });

  test('a class whose first teacher stays gets a further teacher', async () => {
    const shared = await buildClass('Year 4', school.admin.id);
    await add(leaver, shared);
    await leave([toColleague(shared)]);
    expect(await teachersOf(shared)).toEqual([school.admin.id, colleague.id]);
  });

  test('a teacher of the class can become its first teacher', async () => {
    await add(colleague);
    await leave([toColleague()]);
    expect(await readClass()).toMatchObject({ manager_id: colleague.id, teachers: [{ id: colleague.id }] });
  });

  test('a full class is handed over', async () => {
    for (let place = 1; place < 12; place += 1) await add(await app.build.staff(school, 'teacher'));
    expect((await leave([toColleague()])).status).toBe(200);
    expect(await teachersOf()).toHaveLength(12);
  });

  test('the class of a teaching assistant who leaves can get a teacher', async () => {
    await setRole(leaver, 'teaching_assistant');
    expect((await leave([toColleague()])).status).toBe(200);
    expect(await readClass()).toMatchObject({ manager_id: colleague.id, assistants: [] });
  });

  test('a mail to the person that has not been sent is deleted', async () => {
    const write = ({ id, email }: Person, text: string) =>
      inSchool(app.database, school.id, (db) =>
        sendMail(
          db,
          { kind: 'weekly_digest', recipient: email, subject: 'News', html: text, text },
          { users: [id] },
          new Date(NOW),
        ),
      );
    await write(leaver, 'To the person');
    await write(colleague, 'To the colleague');
    await leave();
    const left = await app.database.kysely.selectFrom('outbox').select('text').where('sent_at', 'is', null).execute();
    expect(left).toEqual([{ text: 'To the colleague' }]);
  });

  test('an invitation that the person sent stays', async () => {
    await app.call(teacherCalls.setAdmin, {
      ...admin(),
      params: here({ userId: leaver.id }),
      body: { admin: true },
    });
    const { link } = await app.build.invite({ id: school.id, admin: leaver });
    await leave();
    expect((await app.call(inviteCalls.getInvite, { params: { inviteId: link } })).reply.invite.status).toBe('pending');
  });
});

describe('what can be handed over', () => {
  test.each(ASSIGNABLE_ROLES.filter((role) => !isTeachingRole(role)))(
    'a class is not handed over to a %s, and then no one leaves',
    async (role) => {
      const person = await app.build.staff(school, role);
      expect(await leave([{ group_id: school.ownClass.id, user_id: person.id }])).toMatchObject({
        status: 409,
        error: { error: expect.stringContaining('Choose someone else.') as string },
      });
      await app.database.kysely.deleteFrom('staff').where('user_id', '=', person.id).execute();
      await expectStillThere();
    },
  );

  test.each(['admin', 'teacher', 'reading_lead'] as const)(
    'a class is handed over to a colleague with the role %s',
    async (role) => {
      const person = await app.build.staff(school, role);
      expect((await leave([{ group_id: school.ownClass.id, user_id: person.id }])).status).toBe(200);
      expect(await teachersOf()).toEqual([person.id]);
    },
  );

  test('a class is not handed over to someone of another school or a former colleague, and then no one leaves', async () => {
    const other = await app.build.school();
    const former = await app.build.staff(school, 'teacher');
    await app.call(teacherCalls.removeTeacher, { ...admin(), params: here({ userId: former.id }) });
    await app.database.kysely.deleteFrom('audit_log').where('school_id', '=', school.id).execute();
    for (const { id } of [other.teacher, former])
      expect((await leave([{ group_id: school.ownClass.id, user_id: id }])).status).toBe(409);
    await expectStillThere();
  });

  test('a class is not handed over to the person who leaves', async () => {
    expect(await leave([{ group_id: school.ownClass.id, user_id: leaver.id }])).toMatchObject({
      status: 422,
      error: { errors: { handovers: ['Choose a new teacher who stays at the school.'] } },
    });
    await expectStillThere();
  });

  test('a class of other teachers, a deleted one or one of another school is not handed over, and then no one leaves', async () => {
    const gone = await buildClass('Year 4');
    await app.call(classCalls.removeClass, { ...admin(), params: here({ groupId: gone }) });
    const other = await app.build.school();
    for (const classId of [school.otherClass.id, gone, other.ownClass.id])
      expect(await leave([toColleague(), toColleague(classId)])).toMatchObject({
        status: 409,
        error: { error: expect.stringContaining('so we changed nothing') as string },
      });
    await expectStillThere();
    expect(await teachersOf(school.otherClass.id)).toEqual([]);
  });

  test('a class that the person only covers is not handed over', async () => {
    await cover(leaver);
    expect((await leave([toColleague(school.otherClass.id)])).status).toBe(409);
    await expectStillThere();
  });

  test.each([
    [
      'the same class twice',
      () => [toColleague(), { group_id: school.ownClass.id, user_id: school.admin.id }],
      'Hand over each class once.',
    ],
    [
      'too many classes',
      () => Array.from({ length: MAX_HANDOVERS + 1 }, (_, index) => toColleague(index + 1)),
      `Hand over at most ${MAX_HANDOVERS} classes.`,
    ],
  ])('rejects %s in one request, and no one leaves', async (_, handovers, text) => {
    expect(await leave(handovers())).toMatchObject({ status: 422, error: { errors: { handovers: [text] } } });
    await expectStillThere();
  });

  test('a teacher cannot let anyone leave, and an admin cannot leave by themselves', async () => {
    expect((await leave([toColleague()], colleague)).status).toBe(403);
    const own = await leave([toColleague()], school.admin, school.admin);
    expect(own).toMatchObject({ status: 409, error: { code: 'not_yourself' } });
    await expectStillThere();
  });
});

describe('at the same moment', () => {
  test('of two admins who hand over the classes of one person at once, the second finds no one to leave', async () => {
    const second = await app.build.staff(school, 'admin');
    for (let round = 0; round < 5; round += 1) {
      const person = await app.build.staff(school, 'teacher');
      const classId = await buildClass(`Round ${round}`, person.id);
      const answers = await Promise.all([
        leave([{ group_id: classId, user_id: colleague.id }], school.admin, person),
        leave([{ group_id: classId, user_id: second.id }], second, person),
      ]);
      const isFirst = answers[0].status === 200;
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
      expect(await teachersOf(classId)).toEqual([isFirst ? colleague.id : second.id]);
    }
    expect((await changes()).filter(({ action }) => action === 'teacher_removed')).toHaveLength(5);
  });

  test('no class is left with a new teacher who leaves at the same moment', async () => {
    const second = await app.build.staff(school, 'admin');
    for (let round = 0; round < 5; round += 1) {
      const [person, next] = [await app.build.staff(school, 'teacher'), await app.build.staff(school, 'teacher')];
      const classId = await buildClass(`Round ${round}`, person.id);
      const [handover, removal] = await Promise.all([
        leave([{ group_id: classId, user_id: next.id }], school.admin, person),
        leave([], second, next),
      ]);
      expect(removal.status).toBe(200);
      expect([200, 409]).toContain(handover.status);
      expect(await teachersOf(classId)).toEqual(handover.status === 200 ? [] : [person.id]);
    }
  });
});

describe('after leaving', () => {
  test('a person who comes back within the time of a cover does not have the class', async () => {
    await cover(leaver);
    expect((await meOf(leaver)).reply.user.covers).toHaveLength(1);
    await leave();
    const { token } = await rejoin(leaver);
    expect((await meOf({ token })).reply.user).toMatchObject({ enterprise_id: school.id, covers: [] });
    expect(await listCovers()).toEqual([]);
  });

  test('a cover that the person gave goes on, and no longer names them', async () => {
    await cover(colleague, leaver, school.ownClass.id);
    expect(await listCovers()).toMatchObject([{ given_by: { id: leaver.id } }]);
    await leave();
    expect(await listCovers()).toMatchObject([{ user: { id: colleague.id }, given_by: null }]);
    expect((await meOf(colleague)).reply.user.covers).toHaveLength(1);
  });

  test('a note keeps the name of its author until the school erases them, also if they work elsewhere', async () => {
    const params = here({ readerId: school.ownClass.pupils[0]?.id ?? 0 });
    const added = await app.call(pupilNoteCalls.addPupilNote, {
      token: leaver.token,
      params,
      body: { text: 'Likes foxes' },
    });
    const { first_name, last_name } = (await meOf(leaver)).reply.user;
    const name = `${first_name} ${last_name}`;
    expect(added.reply.note.author).toBe(name);
    await app.build.join(leaver, await app.build.school(), 'teacher');
    const authors = async () =>
      (await app.call(pupilNoteCalls.listPupilNotes, { ...admin(), params })).reply.notes.map(({ author }) => author);
    await leave([toColleague()]);
    expect(await authors()).toEqual([name]);
    const erased = await app.call(privacyCalls.eraseFormerMember, { ...admin(), params: here({ userId: leaver.id }) });
    expect(erased.status).toBe(200);
    expect(await authors()).toEqual([null]);
    expect((await logIn(leaver)).status).toBe(200);
  });
});
