import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessCalls } from '#contract/calls/access.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { membershipCalls } from '#contract/calls/memberships.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { subjectRequestCalls } from '#contract/calls/subject-requests.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { lockMember } from '../../accounts/access/access.public.ts';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { countBlockedConnections } from '../../../testing/blocked-connections.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';
import { dumpDatabase } from '../../../testing/dump.ts';
import { addClassTeachers, updateFirstTeachers } from '../../school/classes/classes.public.ts';
import { leaveSchool, updateStaffRole } from '../../school/teachers/teachers.public.ts';
import { readErasureList } from './erasure-list.service.ts';
import { carryOutRetention } from '../retention/retention.public.ts';

const folder = await mkdtemp(join(tmpdir(), 'former-'));
const app = testApp({ BACKUP_DIR: folder, BACKUP_DAYS: '7' });
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The embedded database has one connection, on which nothing waits for a lock. */
const isServer = inject('template').kind === 'server';
const LEFT = '2026-11-18T12:00:00.000Z';
const LAST_MOMENT = '2028-11-18T11:59:59.999Z';
const OVER = '2028-11-18T12:00:00.000Z';

let school: BuiltSchool;
let other: BuiltSchool;
let teacher: Person;
beforeEach(async () => {
  app.setTime(LEFT);
  school = await app.build.school();
  other = await app.build.school();
  ({ teacher } = school);
});

const remove = async ({ id, admin }: BuiltSchool, userId = teacher.id) =>
  (await app.call(teacherCalls.removeTeacher, { params: { id, userId }, token: admin.token })).status;
const eraseFormer = async ({ id, admin }: BuiltSchool, userId = teacher.id) =>
  (await app.call(privacyCalls.eraseFormerMember, { params: { id, userId }, token: admin.token })).status;
const logIn = (email = teacher.email) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
const joinSchool = async (at: BuiltSchool) => {
  const { link } = await app.build.invite(at, teacher.email);
  const { token } = (await logIn()).reply.meta;
  return (await app.call(inviteCalls.acceptInvite, { token, params: { inviteId: link } })).status;
};
/** At a later time an admin of the tests is still logged in. */
const renewSessions = () =>
  sql`update sessions set last_used_at = ${app.services.clock.now()}, expires_at = ${app.services.clock.now()}::timestamptz + interval '1 day',
    proved_at = ${app.services.clock.now()}`.execute(app.database.kysely);
const listFormer = async ({ id, admin }: BuiltSchool) =>
  (await app.call(privacyCalls.getDataAndPrivacy, { params: { id }, token: admin.token })).reply.former_staff.map(
    (person) => person.id,
  );
const listReceipts = async ({ id }: BuiltSchool) =>
  (
    await app.database.kysely
      .selectFrom('erasures')
      .select(['kind', 'counts', 'erased_by'])
      .where('school_id', '=', id)
      .execute()
  ).map(({ kind, counts, erased_by }) => ({ kind, users: counts.users, by: erased_by }));
const listRows = async (userId = teacher.id) =>
  (await app.database.kysely.selectFrom('staff').select('school_id').where('user_id', '=', userId).execute()).map(
    (row) => row.school_id,
  );
const hasAccount = async (userId = teacher.id) =>
  (await app.database.kysely.selectFrom('users').select('id').where('id', '=', userId).execute()).length === 1;
const listed = async () => (await readErasureList(folder)).filter(({ kind }) => kind === 'staff');

describe('accounts of former staff', () => {
  test('the nightly job erases the account of a former member two years after they left, with a receipt', async () => {
    await app.database.kysely
      .updateTable('users')
      .set({ last_name: 'Quaglino' })
      .where('id', '=', teacher.id)
      .execute();
    expect(await remove(school)).toBe(200);
    app.setTime(LAST_MOMENT);
    await app.runJobs({ scheduled: true });
    expect([await listRows(), await hasAccount()]).toEqual([[school.id], true]);
    app.setTime(OVER);
    await app.database.kysely.deleteFrom('audit_log').where('school_id', '=', school.id).execute();
    await carryOutRetention(app.services);
    await app.runJobs();
    expect(await hasAccount()).toBe(false);
    expect(await listRows()).toEqual([]);
    expect(await listReceipts(school)).toEqual([{ kind: 'staff', users: 1, by: null }]);
    expect((await listed()).at(-1)?.schoolId).toBe(school.id);
    expect((await dumpDatabase(app.database)).split('\n').filter((row) => row.includes('Quaglino'))).toEqual([]);
    const nights = await app.database.kysely
      .selectFrom('retention_removals')
      .select('removed')
      .where('school_id', '=', school.id)
      .where('table_name', '=', 'staff')
      .execute();
    expect(nights).toEqual([{ removed: 1 }]);
    expect((await logIn()).status).toBe(401);
  });

  test('the account of a former member stays when another school has it by then, and the first school gets no receipt', async () => {
    await remove(school);
    expect(await joinSchool(other)).toBe(200);
    app.setTime(OVER);
    await carryOutRetention(app.services);
    expect(await listRows()).toEqual([other.id]);
    expect(await listReceipts(school)).toEqual([]);
    expect((await logIn()).reply.user.enterprise_id).toBe(other.id);
  });

  test('a former member who works elsewhere is listed without an address, and erased here alone', async () => {
    await remove(school);
    expect(await joinSchool(other)).toBe(200);
    const { reply } = await app.call(privacyCalls.getDataAndPrivacy, {
      token: school.admin.token,
      params: { id: school.id },
    });
    expect(reply.former_staff).toMatchObject([{ id: teacher.id, last_name: 'Teacher', email: null }]);
    expect(await eraseFormer(school)).toBe(200);
    expect(await listFormer(school)).toEqual([]);
    expect(await listRows()).toEqual([other.id]);
    expect((await logIn()).reply.user.enterprise_id).toBe(other.id);
  });

  test('the account of a former member who has come back stays, however long ago they had left', async () => {
    await remove(school);
    expect(await joinSchool(school)).toBe(200);
    expect(await listFormer(school)).toEqual([]);
    app.setTime(OVER);
    await carryOutRetention(app.services);
    expect((await logIn()).reply.user).toMatchObject({ enterprise_id: school.id, enterprise_user_role: 'teacher' });
  });

  test('neither the nightly job nor an admin erases the account of a former member who is an operator', async () => {
    await remove(school);
    await app.database.kysely
      .insertInto('operators')
      .values({ user_id: teacher.id, added_at: new Date(LEFT) })
      .execute();
    expect(await listFormer(school)).toEqual([]);
    expect(await eraseFormer(school)).toBe(404);
    app.setTime(OVER);
    await carryOutRetention(app.services);
    expect(await hasAccount()).toBe(true);
    expect(await listRows()).toEqual([]);
    expect(await listReceipts(school)).toEqual([]);
  });

  test('two admins who erase a former member at the same time leave one receipt', async () => {
    const second = await app.build.staff(school, 'admin');
    await remove(school);
    const answers = await Promise.all([eraseFormer(school), eraseFormer({ ...school, admin: second })]);
    expect(answers.sort()).toEqual([200, 404]);
    expect(await listReceipts(school)).toMatchObject([{ kind: 'staff', users: 1 }]);
  });
});

describe('former staff of two schools', () => {
  beforeEach(async () => {
    await remove(school);
    await joinSchool(other);
    await remove(other);
  });

  test('each of two former schools erases a person in its own name, and the account ends with the last', async () => {
    expect([await listFormer(school), await listFormer(other)]).toEqual([[teacher.id], [teacher.id]]);
    expect(await eraseFormer(school)).toBe(200);
    expect(await listFormer(school)).toEqual([]);
    expect(await listFormer(other)).toEqual([teacher.id]);
    expect((await logIn()).status).toBe(200);
    expect(await eraseFormer(school)).toBe(404);
    expect(await eraseFormer(other)).toBe(200);
    expect(await hasAccount()).toBe(false);
    expect(await listReceipts(school)).toMatchObject([{ kind: 'staff' }]);
    expect(await listReceipts(other)).toMatchObject([{ kind: 'staff', users: 1 }]);
    await app.runJobs();
    const lines = (await listed()).filter(({ schoolId }) => [school.id, other.id].includes(schoolId));
    expect(lines).toHaveLength(2);
    expect(lines[0]?.digest).toBe(lines[1]?.digest);
  });

  test('no account is left when two former schools erase a person at the same time', async () => {
    expect(await Promise.all([eraseFormer(school), eraseFormer(other)])).toEqual([200, 200]);
    expect(await hasAccount()).toBe(false);
    expect(await listRows()).toEqual([]);
  });

  test('the account of a person who left two schools stays for two years after they left the second', async () => {
    await sql`update staff set until = until - interval '1 month' where school_id = ${school.id} and user_id = ${teacher.id}`.execute(
      app.database.kysely,
    );
    app.setTime(LAST_MOMENT);
    await carryOutRetention(app.services);
    expect([await listRows(), await hasAccount()]).toEqual([[other.id], true]);
    app.setTime(OVER);
    await carryOutRetention(app.services);
    expect([await listRows(), await hasAccount()]).toEqual([[], false]);
  });

  test('a person who deletes their own account is erased in the schools that they left too', async () => {
    const third = await app.build.school();
    await joinSchool(third);
    const { token } = (await logIn()).reply.meta;
    const body = { confirmation: teacher.email };
    expect((await app.call(privacyCalls.eraseOwnAccount, { params: { id: third.id }, token, body })).status).toBe(200);
    expect(await hasAccount()).toBe(false);
    expect(await listRows()).toEqual([]);
    for (const former of [school, other, third]) expect(await listReceipts(former)).toMatchObject([{ kind: 'staff' }]);
  });
});

describe('former staff at their school', () => {
  const asAdmin = () => ({ token: school.admin.token });
  const inClass = (classId: number) => ({
    ...asAdmin(),
    params: { id: school.id, groupId: classId, userId: teacher.id },
  });
  const listClasses = async () =>
    (
      await sql`
        select class_id as id from class_teachers where school_id = ${school.id} and user_id = ${teacher.id}
        union all select id from classes where school_id = ${school.id} and manager_id = ${teacher.id}`.execute(
        app.database.kysely,
      )
    ).rows;
  const manage = (userId: number) => ({ ...asAdmin(), params: { id: school.id, userId } });

  test('a former member is on no list of the staff, and cannot be promoted, removed or given a class', async () => {
    const { id } = teacher;
    expect(await remove(school)).toBe(200);
    const { reply } = await app.call(schoolCalls.getSchool, { ...asAdmin(), params: { id: school.id }, query: {} });
    expect(reply.enterprise.users.map((person) => person.id)).toEqual([school.admin.id]);
    expect(reply.enterprise.setup.has_setup_teachers).toBe(false);
    expect(await remove(school)).toBe(404);
    expect((await app.call(teacherCalls.setAdmin, { ...manage(id), body: { admin: true } })).status).toBe(404);
    const at = inClass(school.ownClass.id);
    expect((await app.call(classCalls.assignTeacher, at)).status).toBe(404);
    expect((await app.call(classCalls.addClassTeacher, at)).status).toBe(404);
  });

  test('a member who leaves no longer gets the weekly email', async () => {
    await sql`update staff set digest_optin_at = now() where school_id = ${school.id} and user_id = ${teacher.id}`.execute(
      app.database.kysely,
    );
    await remove(school);
    const { rows } = await sql`select digest_optin_at, role from staff where user_id = ${teacher.id}`.execute(
      app.database.kysely,
    );
    expect(rows).toEqual([{ digest_optin_at: null, role: null }]);
  });

  test('a membership that has ended keeps the time of its end', async () => {
    await remove(school);
    await inSchool(app.database, school.id, (db) => leaveSchool(db, teacher.id, new Date(OVER)));
    const { rows } = await sql`select until from staff where user_id = ${teacher.id}`.execute(app.database.kysely);
    expect(rows).toEqual([{ until: new Date(LEFT) }]);
  });

  test('the list of schools for operators does not count former staff', async () => {
    const operator = await app.build.operator();
    await remove(school);
    const found = await app.ask('GET', `/admin/schools?search=${school.id}`, { token: operator.token });
    const { schools } = found.reply as { schools: { id: number; staff_count: number }[] };
    expect(schools.find(({ id }) => id === school.id)?.staff_count).toBe(1);
  });

  test.runIf(isServer)('an admin cannot give a class to a teacher who is being removed', async () => {
    const at = inClass(school.otherClass.id);
    let answers: Promise<{ status: number }[]> | undefined;
    await inSchool(app.database, school.id, async (db) => {
      await leaveSchool(db, teacher.id, app.services.clock.now());
      answers = Promise.all([app.call(classCalls.addClassTeacher, at), app.call(classCalls.assignTeacher, at)]);
      await expect.poll(() => countBlockedConnections(app.database)).toBe(2);
    });
    expect((await answers)?.map(({ status }) => status)).toEqual([404, 404]);
    expect(await listClasses()).toEqual([]);
  });

  test.runIf(isServer)('a removed teacher loses a class that an admin was giving them at the same time', async () => {
    let removed: Promise<number> | undefined;
    await inSchool(app.database, school.id, async (db) => {
      await lockMember(db, teacher.id);
      removed = remove(school);
      await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
      await addClassTeachers(db, [{ classId: school.otherClass.id, userId: teacher.id }], app.services.clock.now());
    });
    expect(await removed).toBe(200);
    expect(await listClasses()).toEqual([]);
  });

  /** Answers the request to hand over the class of the teacher once a change beside it has been committed. */
  async function handOverBeside(newTeacherId: number, change: (db: SchoolDb) => Promise<unknown>) {
    let handover: Promise<{ status: number }> | undefined;
    await inSchool(app.database, school.id, async (db) => {
      await change(db);
      const body = { handovers: [{ group_id: school.ownClass.id, user_id: newTeacherId }] };
      handover = app.call(teacherCalls.recordLeaver, { ...manage(teacher.id), body });
      await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
    });
    return (await handover)?.status;
  }

  test.runIf(isServer)('a class is not handed over to someone whose role changes at the same moment', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const status = await handOverBeside(colleague.id, (db) => updateStaffRole(db, colleague.id, 'business_manager'));
    expect(status).toBe(409);
    expect(await listClasses()).toEqual([{ id: school.ownClass.id }]);
  });

  test.runIf(isServer)('a class that gets another teacher at the same moment is not handed over', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const changes = [{ id: school.ownClass.id, manager_id: colleague.id }];
    expect(await handOverBeside(school.admin.id, (db) => updateFirstTeachers(db, changes))).toBe(409);
    const { reply } = await app.call(classCalls.getClass, {
      ...asAdmin(),
      params: { id: school.id, groupId: school.ownClass.id },
    });
    expect(reply.group.teachers.map(({ id }) => id)).toEqual([colleague.id]);
    expect((await app.call(accessCalls.getMe, { token: teacher.token })).status).toBe(200);
  });

  test.runIf(isServer)('a session that ends at the same moment does not switch to another school', async () => {
    await app.build.join(teacher, other, 'teacher');
    let switched: Promise<{ status: number }> | undefined;
    await app.database.kysely.transaction().execute(async (tx) => {
      await tx.deleteFrom('sessions').where('user_id', '=', teacher.id).execute();
      const body = { enterprise_id: other.id };
      switched = app.call(membershipCalls.switchSchool, { token: teacher.token, body });
      await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
    });
    expect((await switched)?.status).toBe(401);
  });

  test('a former member comes back with the role of the new invitation and without their former classes', async () => {
    await remove(school);
    app.setTime('2026-12-01T12:00:00.000Z');
    await renewSessions();
    expect(await joinSchool(school)).toBe(200);
    const { rows } = await sql`select role, until, joined_at from staff where user_id = ${teacher.id}`.execute(
      app.database.kysely,
    );
    expect(rows).toEqual([{ role: 'teacher', until: null, joined_at: new Date('2026-12-01T12:00:00.000Z') }]);
    expect(await listClasses()).toEqual([]);
  });

  test.runIf(isServer)(
    'erasing a former member while the copy for their access request is being made leaves no copy behind',
    async () => {
      await remove(school);
      const opened = await app.call(subjectRequestCalls.openSubjectRequest, {
        ...asAdmin(),
        params: { id: school.id },
        body: {
          subject: { kind: 'staff', id: teacher.id },
          requester_name: 'Morgan Teacher',
          requester_relation: 'subject',
          identity_check: 'Showed a passport',
          received_on: '2026-11-18',
        },
      });
      const requestId = opened.reply.request.id;
      await app.call(subjectRequestCalls.makeSubjectFile, { ...asAdmin(), params: { id: school.id, requestId } });
      let jobs: Promise<number> | undefined;
      await app.database.kysely.transaction().execute(async (tx) => {
        // The copy reads the contacts, and erasing does not.
        await sql`lock table contacts in access exclusive mode`.execute(tx);
        jobs = app.runJobs();
        await expect.poll(() => countBlockedConnections(app.database)).toBe(1);
        expect(await eraseFormer(school)).toBe(200);
      });
      await jobs;
      const { rows } = await sql`select file_state, outcome from subject_requests where id = ${requestId}`.execute(
        app.database.kysely,
      );
      expect(rows).toEqual([{ file_state: 'none', outcome: 'erased' }]);
      const parts = await sql`select from subject_request_parts where school_id = ${school.id}`.execute(
        app.database.kysely,
      );
      expect(parts.rows).toEqual([]);
    },
  );
});
