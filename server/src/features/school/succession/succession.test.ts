import { accessCalls } from '#contract/calls/access.ts';
import { adminRequestCalls as calls } from '#contract/calls/admin-requests.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { privacyCalls } from '#contract/calls/privacy.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import type { StaffSession } from '../../../context.ts';
import { inPlatform } from '../../../database/platform.ts';
import { inSchool, type SchoolDb } from '../../../database/school.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';
import { adminRequestsJob } from './succession.jobs.ts';
import { checkRequest, confirmRequest, requestAdmin, stopRequest } from './succession.service.ts';

const app = testApp();
const NOON = Date.parse('2026-11-18T12:00:00.000Z');
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CHECK = 'Rang the office on the number in the register.';

let time = NOON;
let school: BuiltSchool;
/** The admins whom requests name. */
let admins: Person[];
let first: Person;
let second: Person;
/** Moves the clock and keeps everyone logged in, with a proof that is still valid. */
const later = async (milliseconds: number) => {
  time += milliseconds;
  app.setTime(new Date(time).toISOString());
  const now = new Date(time);
  await sql`update sessions set last_used_at = ${now}, expires_at = ${new Date(time + DAY)},
    proved_at = case when proved_at is null then null else ${now}::timestamptz end`.execute(app.database.kysely);
};
beforeEach(async () => {
  time = NOON;
  await later(0);
  school = await app.build.school();
  admins = [school.admin];
  [first, second] = [await app.build.operator(), await app.build.operator()];
  await app.runJobs();
  app.mails.length = 0;
});

const request = (
  person: Person = school.teacher,
  more: { former?: number[]; appointed?: number; note?: string } = {},
) =>
  app.call(calls.requestAdmin, {
    token: person.token,
    params: { id: school.id },
    body: {
      former_admin_ids: more.former ?? admins.map(({ id }) => id),
      new_admin_id: more.appointed ?? person.id,
      note: more.note ?? null,
    },
  });
const getSchool = async ({ token }: Person = school.teacher) =>
  (await app.call(schoolCalls.getSchool, { token, params: { id: school.id }, query: {} })).reply.enterprise;
const requestId = async () => (await getSchool()).admin_request?.id ?? 0;
const ofOperator = async (id?: number) => ({ schoolId: school.id, adminRequestId: id ?? (await requestId()) });
const check = async ({ token } = first, id?: number) =>
  app.call(calls.checkAdminRequest, { token, params: await ofOperator(id), body: { check: CHECK } });
const confirm = async ({ token } = second, id?: number) =>
  app.call(calls.confirmAdminRequest, { token, params: await ofOperator(id) });
const cancel = async ({ token } = first, id?: number) =>
  app.call(calls.cancelAdminRequest, { token, params: await ofOperator(id) });
const stop = async ({ token }: Person, id?: number) =>
  app.call(calls.stopAdminRequest, { token, params: { id: school.id, adminRequestId: id ?? (await requestId()) } });
const setAdmin = (by: Person, userId: number, admin: boolean) =>
  app.call(teacherCalls.setAdmin, { token: by.token, params: { id: school.id, userId }, body: { admin } });
const remove = (by: Person, userId: number) =>
  app.call(teacherCalls.removeTeacher, { token: by.token, params: { id: school.id, userId } });

const decide = async () => {
  expect((await request()).status).toBe(200);
  expect((await check()).status).toBe(200);
  expect((await confirm()).status).toBe(200);
};
const runJobs = () => app.runJobs({ scheduled: true });
const mails = async () => {
  await app.runJobs();
  return app.mails
    .splice(0)
    .filter(({ kind, subject }) => kind === 'admin_request' && subject.includes(school.name))
    .map(({ recipient, subject }) => [recipient, subject.replace(/ – .*/, '')])
    .sort();
};
const roles = async () =>
  (
    await app.database.kysely
      .selectFrom('staff')
      .select(['user_id', 'role'])
      .where('school_id', '=', school.id)
      .where('until', 'is', null)
      .orderBy('user_id')
      .execute()
  ).map(({ user_id: userId, role }) => [userId, role]);
const audited = async () =>
  (
    await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_user_id', 'subject_id', 'details'])
      .where('school_id', '=', school.id)
      .where('action', 'like', 'admin_%')
      .orderBy('id')
      .execute()
  ).map(({ action, actor_user_id: actor, subject_id: subject, details }) => {
    const { about: _, ...shown } = details as Record<string, unknown>;
    return [action, actor, Number(subject), shown];
  });
const endReasons = async () =>
  (await audited()).flatMap(([action, , , details]) =>
    action === 'admin_request_ended' ? [(details as { reason: string }).reason] : [],
  );
const addContact = (email: string) =>
  app.database.kysely
    .insertInto('contacts')
    .values({
      school_id: school.id,
      type: 'primary',
      contact_name: 'Pat Office',
      address_line_1: '1 Mill Lane',
      postcode: 'SW1A 1AA',
      country_code: 'GBR',
      telephone: '+442079460000',
      email,
    })
    .execute();
const lock = () => app.build.invoice(school).then(() => later(40 * DAY));

describe('appointing an admin', () => {
  test('a teacher of a locked school becomes its admin 24 hours after two operators have decided', async () => {
    await lock();
    await addContact('office@school.example');
    const colleague = await app.build.staff(school, 'teacher');
    await mails();
    expect((await getSchool()).access).toBe('locked');
    expect((await request(school.teacher, { note: 'He left in July' })).status).toBe(200);
    const support = app.services.config.contactEmail;
    const subject = `Has Morgan Admin left ${school.name}?`;
    expect(await mails()).toEqual(
      [
        [support, `${school.name} asks for an admin`],
        ['office@school.example', subject],
        [school.admin.email, subject],
        [school.teacher.email, subject],
      ].sort(),
    );
    expect((await check()).status).toBe(200);
    expect(await mails()).toEqual([]);
    expect((await confirm()).status).toBe(200);
    const everyone = [school.admin.email, school.teacher.email, colleague.email, 'office@school.example'].sort();
    expect(await mails()).toEqual(
      everyone.map((email) => [email, `Morgan Teacher will be an admin of ${school.name}`]),
    );
    await later(DAY - 1);
    await runJobs();
    expect(await roles()).toContainEqual([school.admin.id, 'admin']);
    await later(1);
    await runJobs();
    expect(await roles()).toEqual([
      [school.teacher.id, 'admin'],
      [colleague.id, 'teacher'],
    ]);
    expect(await mails()).toEqual(everyone.map((email) => [email, `Morgan Teacher is an admin of ${school.name}`]));
    expect((await app.call(accessCalls.getMe, { token: school.admin.token })).status).toBe(401);
    const { teacher, admin } = school;
    expect(await audited()).toEqual([
      ['admin_requested', teacher.id, teacher.id, { teacher_ids: [admin.id] }],
      ['admin_request_checked', first.id, teacher.id, { check: CHECK }],
      ['admin_request_confirmed', second.id, teacher.id, {}],
      ['admin_appointed', null, teacher.id, { teacher_ids: [admin.id], classes: 0 }],
    ]);
    const { entries } = (
      await app.call(schoolCalls.listAuditLog, {
        token: teacher.token,
        params: { id: school.id },
        query: { kind: 'staff' },
      })
    ).reply;
    expect(entries[0]).toMatchObject({ action: 'admin_appointed', details: { teachers: ['Morgan Admin'] } });
    expect((await getSchool()).admin_request).toBeNull();
  });

  test('classes of the former admin without another teacher have none afterwards', async () => {
    const params = { id: school.id };
    const { reply } = await app.call(classCalls.createClass, {
      token: school.admin.token,
      params,
      body: { name: 'Owls', assign_self: true },
    });
    await decide();
    await later(DAY);
    await runJobs();
    expect((await getSchool()).groups.find(({ id }) => id === reply.group.id)?.teachers).toEqual([]);
    expect((await audited()).at(-1)?.[3]).toMatchObject({ classes: 1 });
  });

  test('a teacher can name a colleague as the new admin', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    expect((await request(school.teacher, { appointed: colleague.id })).status).toBe(200);
    await check();
    await confirm();
    await later(DAY);
    await runJobs();
    expect(await roles()).toEqual([
      [school.teacher.id, 'teacher'],
      [colleague.id, 'admin'],
    ]);
  });

  test('staff see the request, and operators also the note, the check and when the admin last logged in', async () => {
    await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
    await request(school.teacher, { note: 'He left in July' });
    await check();
    expect((await getSchool()).admin_request).toEqual({
      id: expect.any(Number),
      requested_by: { id: school.teacher.id, name: 'Morgan Teacher' },
      new_admin: { id: school.teacher.id, name: 'Morgan Teacher' },
      former_admins: [{ id: school.admin.id, name: 'Morgan Admin' }],
      requested_at: '2026-11-18T12:00:00.000Z',
      due_at: null,
    });
    const { requests } = (await app.call(calls.listAdminRequests, { token: second.token })).reply;
    expect(requests).toContainEqual(
      expect.objectContaining({
        school: { id: school.id, name: school.name },
        note: 'He left in July',
        check: { by: expect.objectContaining({ id: first.id }), at: '2026-11-18T12:00:00.000Z', text: CHECK },
        former_admins: [
          expect.objectContaining({ email: school.admin.email, last_used_at: '2026-11-18T12:00:00.000Z' }),
        ],
      }),
    );
  });
});

describe('a request', () => {
  test('only teachers ask, about all admins of their school and for a teacher of it', async () => {
    const { otherSchool } = await app.build.twoSchools();
    expect((await request(school.admin)).error.code).toBe('admin_request_by_admin');
    expect((await request(school.teacher, { former: [otherSchool.admin.id] })).error.code).toBe(
      'admin_request_not_needed',
    );
    expect((await request(school.teacher, { former: [school.teacher.id] })).error.code).toBe(
      'admin_request_not_needed',
    );
    expect((await request(school.teacher, { appointed: school.admin.id })).status).toBe(404);
    expect((await request(school.teacher, { appointed: otherSchool.teacher.id })).status).toBe(404);
    await app.build.staff(school, 'admin');
    expect((await request()).error.code).toBe('admin_request_not_needed');
    expect(await mails()).toEqual([]);
  });

  test('a school has one open request, also when two teachers ask at the same time', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const answers = await Promise.all([request(), request(colleague)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await request()).error.code).toBe('admin_request_pending');
  });

  test('a closed school has no request', async () => {
    await sql`insert into school_closings (school_id, requested_at, takes_effect_at, closed_at, erase_at)
      values (${school.id}, now(), now(), now(), now() + interval '30 days')`.execute(app.database.kysely);
    expect((await request()).error.code).toBe('school_closed');
  });

  test('the note to support and the check have at most 500 characters', async () => {
    expect((await request(school.teacher, { note: 'a'.repeat(501) })).status).toBe(422);
    await request();
    for (const text of ['', 'Rang', 'a'.repeat(501)])
      expect(
        (
          await app.call(calls.checkAdminRequest, {
            token: first.token,
            params: await ofOperator(),
            body: { check: text },
          })
        ).status,
      ).toBe(422);
  });

  test('staff ask at most five times a day', async () => {
    for (let count = 0; count < 5; count++) {
      expect((await request()).status).toBe(200);
      expect((await stop(school.teacher)).status).toBe(200);
    }
    expect((await request()).status).toBe(429);
  });
});

describe('two operators', () => {
  beforeEach(async () => {
    await request();
    await mails();
  });

  test('one operator alone does not decide, however often', async () => {
    expect((await confirm(first)).error.code).toBe('admin_request_unchecked');
    expect((await check(first)).status).toBe(200);
    expect((await check(first)).error.code).toBe('admin_request_checked');
    expect((await confirm(first)).error.code).toBe('admin_request_by_another');
    await later(2 * DAY);
    await runJobs();
    expect(await roles()).toContainEqual([school.admin.id, 'admin']);
  });

  test('of simultaneous checks and confirmations, one succeeds', async () => {
    const third = await app.build.operator();
    const id = await requestId();
    const checks = await Promise.all([check(first, id), check(second, id)]);
    expect(checks.map(({ status }) => status).sort()).toEqual([200, 409]);
    const other = checks[0]?.status === 200 ? second : first;
    const confirmations = await Promise.all([confirm(other, id), confirm(third, id)]);
    expect(confirmations.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await mails()).toHaveLength(2);
  });

  test('neither the person who asked nor the one to be appointed decides as an operator', async () => {
    await stop(school.teacher);
    const colleague = await app.build.staff(school, 'teacher');
    await request(school.teacher, { appointed: colleague.id });
    const ids = { schoolId: school.id, requestId: await requestId() };
    const now = new Date(time);
    const operators = [school.teacher, colleague].map(({ id }) => ({ userId: id, impersonatorId: null }));
    for (const me of operators)
      await expect(inPlatform(app.database, (db) => checkRequest(db, me, ids, CHECK, now))).rejects.toMatchObject({
        kind: 'admin_request_by_another',
      });
    await check(first);
    for (const me of operators)
      await expect(
        inPlatform(app.database, (db) => confirmRequest(db, me, ids, now, app.services.config)),
      ).rejects.toMatchObject({ kind: 'admin_request_by_another' });
  });

  test('a check counts only while the person who recorded it is an operator', async () => {
    await check(first);
    await app.database.kysely.deleteFrom('operators').where('user_id', '=', first.id).execute();
    expect((await confirm(second)).error.code).toBe('admin_request_unchecked');
    expect((await check(second)).status).toBe(200);
    expect((await confirm(await app.build.operator())).status).toBe(200);
  });

  test('an operator proves who they are before a check and a confirmation', async () => {
    await sql`update sessions set proved_at = null`.execute(app.database.kysely);
    expect((await check()).error.code).toBe('proof_required');
    expect((await confirm()).error.code).toBe('proof_required');
  });

  test('a page that shows an earlier request decides nothing about a new one', async () => {
    const id = await requestId();
    await stop(school.teacher);
    await request();
    for (const late of [await check(first, id), await confirm(second, id), await cancel(first, id)])
      expect(late.error.code).toBe('admin_request_not_found');
    expect((await stop(school.admin, id)).error.code).toBe('admin_request_not_found');
    expect((await getSchool()).admin_request).not.toBeNull();
  });

  test('a request ends 14 days after it was made unless two operators have decided', async () => {
    await check();
    await later(14 * DAY - 1);
    await runJobs();
    expect((await getSchool()).admin_request).not.toBeNull();
    await later(1);
    expect((await confirm()).error.code).toBe('admin_request_not_found');
    await runJobs();
    expect(await endReasons()).toEqual(['undecided']);
    expect(await mails()).toHaveLength(2);
  });

  test('a request that is confirmed on its last day takes effect', async () => {
    await check();
    await later(14 * DAY - 1);
    expect((await confirm()).status).toBe(200);
    await later(DAY);
    await runJobs();
    expect(await roles()).toEqual([[school.teacher.id, 'admin']]);
  });
});

describe('stopping', () => {
  test.each(['the admin', 'the person who asked', 'an operator'])('a decided request is stopped by %s', async (who) => {
    await decide();
    await mails();
    const id = await requestId();
    const stopped = () =>
      who === 'the admin'
        ? stop(school.admin, id)
        : who === 'an operator'
          ? cancel(second, id)
          : stop(school.teacher, id);
    expect((await stopped()).status).toBe(200);
    expect((await mails()).map(([, subject]) => subject)).toEqual([
      `Morgan Teacher will not be an admin of ${school.name}`,
      `Morgan Teacher will not be an admin of ${school.name}`,
    ]);
    expect((await stopped()).error.code).toBe('admin_request_not_found');
    await later(DAY);
    await runJobs();
    expect(await roles()).toContainEqual([school.admin.id, 'admin']);
    expect(await endReasons()).toEqual([
      who === 'the admin' ? 'stopped' : who === 'an operator' ? 'cancelled' : 'withdrawn',
    ]);
  });

  test('the colleague to be appointed and the person who asked can stop it, and other teachers cannot', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const other = await app.build.staff(school, 'teacher');
    for (const person of [colleague, school.teacher]) {
      await request(school.teacher, { appointed: colleague.id });
      expect((await stop(other)).status).toBe(403);
      expect((await stop(person)).status).toBe(200);
    }
    expect(await endReasons()).toEqual(['stopped', 'withdrawn']);
  });

  test('nothing can be stopped after it has taken effect', async () => {
    await decide();
    const id = await requestId();
    await later(DAY);
    await runJobs();
    expect((await stop(school.teacher, id)).error.code).toBe('admin_request_not_found');
    expect((await cancel(first, id)).error.code).toBe('admin_request_not_found');
    expect(await roles()).toEqual([[school.teacher.id, 'admin']]);
  });

  test('a login of the admin stops nothing by itself', async () => {
    await decide();
    await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
    await later(DAY);
    await runJobs();
    expect(await roles()).toEqual([[school.teacher.id, 'admin']]);
  });
});

describe('what changes meanwhile', () => {
  const settle = async () => {
    await later(DAY);
    await runJobs();
  };

  test('the request ends when the person who asked has left', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    await request(school.teacher, { appointed: colleague.id });
    await remove(school.admin, school.teacher.id);
    await runJobs();
    expect(await endReasons()).toEqual(['requester_left']);
  });

  test('the request ends when the person to be appointed has left', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    await request(school.teacher, { appointed: colleague.id });
    await check();
    await remove(school.admin, colleague.id);
    expect((await confirm()).error.code).toBe('admin_request_outdated');
    await runJobs();
    expect(await endReasons()).toEqual(['new_admin_left']);
  });

  test.each(['before the check', 'after the decision'])(
    'the request ends when the admin appoints another one %s',
    async (when) => {
      const colleague = await app.build.staff(school, 'teacher');
      if (when === 'after the decision') await decide();
      else await request();
      await setAdmin(school.admin, colleague.id, true);
      if (when === 'before the check') expect((await check()).error.code).toBe('admin_request_outdated');
      await settle();
      expect(await endReasons()).toEqual(['admins_changed']);
      expect(await roles()).toEqual([
        [school.admin.id, 'admin'],
        [school.teacher.id, 'teacher'],
        [colleague.id, 'admin'],
      ]);
    },
  );

  test('the request ends when a new admin has removed the former one', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    await decide();
    await setAdmin(school.admin, colleague.id, true);
    await remove(colleague, school.admin.id);
    await settle();
    expect(await endReasons()).toEqual(['admins_changed']);
    expect(await roles()).toEqual([
      [school.teacher.id, 'teacher'],
      [colleague.id, 'admin'],
    ]);
  });

  test('an admin who was demoted with the page open stops nothing', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    await request();
    const id = await requestId();
    await setAdmin(school.admin, colleague.id, true);
    await setAdmin(colleague, school.admin.id, false);
    expect((await stop(school.admin, id)).status).toBe(403);
  });

  test('the request ends when the school closes', async () => {
    await decide();
    await app.call(schoolClosingCalls.requestClosing, { token: school.admin.token, params: { id: school.id } });
    await later(7 * DAY);
    await app.database.kysely
      .updateTable('admin_requests')
      .set({ due_at: new Date(time + DAY) })
      .where('school_id', '=', school.id)
      .execute();
    await runJobs();
    await runJobs();
    expect((await getSchool()).access).toBe('closed');
    expect(await endReasons()).toEqual(['school_closed']);
  });
});

describe('emails about a request', () => {
  const listTexts = async (recipient: string) => {
    await app.runJobs();
    return app.mails
      .filter((mail) => mail.recipient === recipient && mail.kind === 'admin_request')
      .map(({ text }) => text);
  };

  test('a contact with the address of an admin gets one email, with the link to stop it, and another contact has no link', async () => {
    await addContact(school.admin.email.toUpperCase());
    await request();
    const texts = await listTexts(school.admin.email);
    expect(texts).toHaveLength(1);
    expect(texts[0]).toContain('/school/appoint-admin');
    expect(await listTexts(school.admin.email.toUpperCase())).toEqual([]);
    await stop(school.admin);
    await app.database.kysely.updateTable('contacts').set({ email: 'office@school.example' }).execute();
    await request();
    const [toContact] = await listTexts('office@school.example');
    expect(toContact).toContain('write to');
    expect(toContact).not.toContain('/school/appoint-admin');
  });

  test('only confirmed addresses of staff get an email', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    const unconfirmed = [school.admin.id, colleague.id];
    await app.database.kysely
      .updateTable('users')
      .set({ email_confirmed_at: null })
      .where('id', 'in', unconfirmed)
      .execute();
    await decide();
    const recipients = (await mails()).map(([recipient]) => recipient);
    expect(recipients).toContain(school.teacher.email);
    expect(recipients).not.toContain(school.admin.email);
    expect(recipients).not.toContain(colleague.email);
  });

  test('emails are stored with all the people whom they name, so that an erasure deletes them', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    await request(school.teacher, { appointed: colleague.id });
    const stored = await app.database.kysely
      .selectFrom('outbox')
      .select('user_ids')
      .where('subject', 'like', 'Has %')
      .execute();
    const people = [school.admin.id, school.teacher.id, colleague.id].sort((one, other) => one - other);
    expect(stored.map(({ user_ids: ids }) => ids.sort((one, other) => one - other))).toEqual([people, people]);
  });

  test.each([
    ['before', 0],
    ['after', 1],
  ])('staff who are in no request get an email about its end if it ends %s the decision', async (_, count) => {
    const colleague = await app.build.staff(school, 'teacher');
    if (count === 0) await request();
    else await decide();
    await stop(school.admin);
    const subject = `Morgan Teacher will not be an admin of ${school.name}`;
    const ended = (await mails()).filter(([, text]) => text === subject).map(([recipient]) => recipient);
    expect(ended.filter((recipient) => recipient === colleague.email)).toHaveLength(count);
  });

  test('the email about a request that was stopped names the admin who stopped it', async () => {
    await request();
    await stop(school.admin);
    expect((await listTexts(school.teacher.email)).at(-1)).toContain(
      'because it was stopped by Morgan Admin. Nothing has changed.',
    );
  });
});

describe('people who have left', () => {
  const sessionOf = ({ id }: Person) =>
    ({ userId: id, impersonatorId: null, schoolId: school.id, role: 'teacher' }) as StaffSession;
  const inOwnSchool = <T>(work: (db: SchoolDb) => Promise<T>) => inSchool(app.database, school.id, work);

  test('someone who has left the school while their request was on its way does not ask', async () => {
    await remove(school.admin, school.teacher.id);
    const body = { formerAdminIds: [school.admin.id], newAdminId: school.teacher.id, note: null };
    await expect(
      inOwnSchool((db) => requestAdmin(db, sessionOf(school.teacher), body, new Date(time), app.services.config)),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('someone who has left the school does not stop their own request', async () => {
    const colleague = await app.build.staff(school, 'teacher');
    await request(school.teacher, { appointed: colleague.id });
    const id = await requestId();
    await remove(school.admin, school.teacher.id);
    await expect(
      inOwnSchool((db) => stopRequest(db, sessionOf(school.teacher), id, new Date(time), app.services.config)),
    ).rejects.toMatchObject({ kind: 'forbidden' });
  });

  test('a check cannot be recorded after the decision, also if the operator of the first one has left', async () => {
    await decide();
    await app.database.kysely.deleteFrom('operators').where('user_id', '=', first.id).execute();
    expect((await check(second)).error.code).toBe('admin_request_checked');
  });
});

describe('what operators see', () => {
  const lastUse = async () => {
    const { requests } = (await app.call(calls.listAdminRequests, { token: first.token })).reply;
    return requests.find(({ school: of }) => of.id === school.id)?.former_admins[0]?.last_used_at;
  };
  const setLastUse = (userId: number, at: Date) =>
    app.database.kysely.updateTable('sessions').set({ last_used_at: at }).where('user_id', '=', userId).execute();

  test('the last use is the latest of logins and sessions', async () => {
    await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
    await request();
    await setLastUse(school.admin.id, new Date(NOON + HOUR));
    expect(await lastUse()).toBe('2026-11-18T13:00:00.000Z');
    await setLastUse(school.admin.id, new Date(NOON - HOUR));
    expect(await lastUse()).toBe('2026-11-18T12:00:00.000Z');
  });

  test('sessions of support and sessions in another school are no use of the school', async () => {
    const other = await app.build.school();
    await app.build.join(school.admin, other, 'teacher');
    await request();
    const sessions = app.database.kysely.updateTable('sessions').where('user_id', '=', school.admin.id);
    await sessions.set({ impersonator_id: first.id }).execute();
    expect(await lastUse()).toBeNull();
    await sessions.set({ impersonator_id: null, school_id: other.id }).execute();
    expect(await lastUse()).toBeNull();
    await sessions.set({ school_id: school.id }).execute();
    expect(await lastUse()).not.toBeNull();
  });

  test('the oldest request comes first, and a request is found only under its own school', async () => {
    await request();
    const id = await requestId();
    const older = school;
    await later(HOUR);
    school = await app.build.school();
    admins = [school.admin];
    await request();
    expect((await cancel(first, id)).error.code).toBe('admin_request_not_found');
    const unknown = { schoolId: 999_999_999, adminRequestId: id };
    expect((await app.call(calls.cancelAdminRequest, { token: first.token, params: unknown })).error.code).toBe(
      'admin_request_not_found',
    );
    const { requests } = (await app.call(calls.listAdminRequests, { token: first.token })).reply;
    const listed = requests
      .map(({ school: of }) => of.id)
      .filter((schoolId) => [older.id, school.id].includes(schoolId));
    expect(listed).toEqual([older.id, school.id]);
  });
});

test('a request that fails stops no other one, and the job reports it', async () => {
  await app.database.kysely.deleteFrom('admin_requests').execute();
  await request();
  const failing = school;
  await later(HOUR);
  school = await app.build.school();
  admins = [school.admin];
  await request();
  await later(14 * DAY);
  let isFirst = true;
  const config = {
    ...app.services.config,
    get productName() {
      if (!isFirst) return app.services.config.productName;
      isFirst = false;
      throw new Error('No product');
    },
  };
  await expect(adminRequestsJob({ ...app.services, config }).run({})).rejects.toThrow('1 requests for an admin failed');
  const rows = await app.database.kysely.selectFrom('admin_requests').select('school_id').execute();
  expect(rows).toEqual([{ school_id: failing.id }]);
});

describe('a school with two admins', () => {
  let deputy: Person;
  const rename = (userId: number, first_name: string, last_name: string) =>
    app.database.kysely.updateTable('users').set({ first_name, last_name }).where('id', '=', userId).execute();
  beforeEach(async () => {
    deputy = await app.build.staff(school, 'admin');
    await rename(deputy.id, 'Dana', 'Deputy');
    admins = [deputy, school.admin];
  });
  const byId = () => [school.admin.id, deputy.id].sort((one, other) => one - other);
  test('the email goes to both at once, and names both', async () => {
    expect((await request()).status).toBe(200);
    const subject = `Have Morgan Admin and Dana Deputy left ${school.name}?`;
    await app.runJobs();
    expect(
      app.mails
        .filter(({ subject: text }) => text.startsWith(subject))
        .map(({ recipient }) => recipient)
        .sort(),
    ).toEqual([deputy.email, school.admin.email, school.teacher.email].sort());
    const texts = app.mails.map(({ text }) => text).join('\n');
    expect(texts).toContain(`Morgan Admin and Dana Deputy, the only admins of ${school.name}, have left`);
    expect(texts).toContain(`Morgan Admin and Dana Deputy no longer have access to ${school.name}`);
    expect(texts).toContain('their 2 admins have all left');
  });

  test('a search in Changes finds the request by the name of either', async () => {
    await rename(school.admin.id, 'Olive', 'Oak');
    await request();
    for (const search of ['dana deputy', 'olive oak']) {
      const at = { token: school.admin.token, params: { id: school.id } };
      const { entries } = (await app.call(schoolCalls.listAuditLog, { ...at, query: { search } })).reply;
      expect(entries).toMatchObject([
        { action: 'admin_requested', details: { teachers: expect.arrayContaining(['Dana Deputy', 'Olive Oak']) } },
      ]);
    }
  });

  test('24 hours after two operators have decided both are removed, by name, and their sessions have ended', async () => {
    const params = { id: school.id };
    await app.call(classCalls.createClass, {
      token: school.admin.token,
      params,
      body: { name: 'Larks', assign_self: true },
    });
    const { reply } = await app.call(classCalls.createClass, {
      token: school.admin.token,
      params,
      body: { name: 'Owls', assign_self: true },
    });
    await app.call(classCalls.addClassTeacher, {
      token: school.admin.token,
      params: { ...params, groupId: reply.group.id, userId: deputy.id },
    });
    await decide();
    await later(DAY - 1);
    await runJobs();
    expect(await roles()).toHaveLength(3);
    await mails();
    await later(1);
    await runJobs();
    expect(await roles()).toEqual([[school.teacher.id, 'admin']]);
    expect((await mails()).map(([recipient]) => recipient).sort()).toEqual(
      [deputy.email, school.admin.email, school.teacher.email].sort(),
    );
    for (const { token } of [school.admin, deputy])
      expect((await app.call(accessCalls.getMe, { token })).status).toBe(401);
    expect((await audited()).at(-1)).toEqual([
      'admin_appointed',
      null,
      school.teacher.id,
      { teacher_ids: byId(), classes: 2 },
    ]);
    const { reply: changes } = await app.call(schoolCalls.listAuditLog, {
      token: school.teacher.token,
      params,
      query: { kind: 'staff' },
    });
    expect(changes.entries[0]).toMatchObject({
      action: 'admin_appointed',
      details: { teachers: expect.arrayContaining(['Dana Deputy', 'Morgan Admin']) },
    });
  });

  test('staff and operators see both, and operators when each of them last used the school', async () => {
    await later(-DAY);
    await app.call(accessCalls.logIn, { body: { email: deputy.email, password: PASSWORD } });
    await later(DAY);
    await sql`delete from sessions where user_id in (${school.admin.id}, ${deputy.id})`.execute(app.database.kysely);
    await app.call(accessCalls.logIn, { body: { email: school.admin.email, password: PASSWORD } });
    await request();
    expect((await getSchool()).admin_request?.former_admins.map(({ name }) => name).sort()).toEqual([
      'Dana Deputy',
      'Morgan Admin',
    ]);
    const { requests } = (await app.call(calls.listAdminRequests, { token: first.token })).reply;
    const former = requests.find(({ school: of }) => of.id === school.id)?.former_admins ?? [];
    expect(new Map(former.map(({ email, last_used_at: at }) => [email, at]))).toEqual(
      new Map([
        [school.admin.email, '2026-11-18T12:00:00.000Z'],
        [deputy.email, '2026-11-17T12:00:00.000Z'],
      ]),
    );
  });

  test('a request that does not name exactly the two of them is rejected', async () => {
    for (const former of [
      [school.admin.id],
      [deputy.id],
      [school.admin.id, school.admin.id],
      [school.admin.id, school.teacher.id],
      [school.admin.id, deputy.id, school.teacher.id],
    ])
      expect((await request(school.teacher, { former })).error.code).toBe('admin_request_not_needed');
    await app.database.kysely.deleteFrom('rate_limits').execute();
    for (const former of [[], Array.from({ length: 201 }, (_, index) => index + 1)])
      expect((await request(school.teacher, { former })).status).toBe(422);
    expect(await mails()).toEqual([]);
  });

  test('neither of them can be the new admin, and neither of them asks', async () => {
    for (const admin of [school.admin, deputy]) {
      expect((await request(school.teacher, { appointed: admin.id })).status).toBe(404);
      expect((await request(admin)).error.code).toBe('admin_request_by_admin');
    }
  });

  test('neither of them decides about the request as an operator', async () => {
    await request();
    const ids = { schoolId: school.id, requestId: await requestId() };
    const now = new Date(time);
    const operators = admins.map(({ id }) => ({ userId: id, impersonatorId: null }));
    for (const me of operators)
      await expect(inPlatform(app.database, (db) => checkRequest(db, me, ids, CHECK, now))).rejects.toMatchObject({
        kind: 'admin_request_by_another',
      });
    await check(first);
    for (const me of operators)
      await expect(
        inPlatform(app.database, (db) => confirmRequest(db, me, ids, now, app.services.config)),
      ).rejects.toMatchObject({ kind: 'admin_request_by_another' });
  });

  test.each([0, 1])('admin %i of the two stops a decided request', async (index) => {
    await decide();
    expect((await stop(admins[index] as Person)).status).toBe(200);
    await later(DAY);
    await runJobs();
    expect(await endReasons()).toEqual(['stopped']);
    expect(await roles()).toHaveLength(3);
  });

  test.each([
    ['one of them is demoted', () => setAdmin(school.admin, deputy.id, false)],
    ['one of them is removed', () => remove(school.admin, deputy.id)],
    ['one of them deletes their account', () => eraseOwnAccount()],
    ['they promote a colleague', async () => setAdmin(deputy, (await app.build.staff(school, 'teacher')).id, true)],
    ['another admin joins', () => app.build.staff(school, 'admin')],
  ])('the request ends when %s', async (_, change) => {
    await decide();
    await mails();
    await change();
    const staff = await roles();
    await later(DAY);
    await runJobs();
    expect(await endReasons()).toEqual(['admins_changed']);
    expect(await roles()).toEqual(staff);
    expect(await mails()).toContainEqual([
      school.teacher.email,
      `Morgan Teacher will not be an admin of ${school.name}`,
    ]);
  });

  test('no operator decides about a request after one of them has been demoted', async () => {
    await request();
    await setAdmin(school.admin, deputy.id, false);
    expect((await check(first)).error.code).toBe('admin_request_outdated');
    await setAdmin(school.admin, deputy.id, true);
    await check(first);
    await setAdmin(deputy, school.admin.id, false);
    expect((await confirm(second)).error.code).toBe('admin_request_outdated');
  });

  test('a request omits one of them who has been removed', async () => {
    await request();
    await remove(school.admin, deputy.id);
    const left = [{ id: school.admin.id, name: 'Morgan Admin' }];
    expect((await getSchool()).admin_request?.former_admins).toEqual(left);
    const { requests } = (await app.call(calls.listAdminRequests, { token: first.token })).reply;
    expect(requests.find(({ school: of }) => of.id === school.id)?.former_admins).toMatchObject(left);
  });

  const eraseOwnAccount = () =>
    app.call(privacyCalls.eraseOwnAccount, {
      params: { id: school.id },
      token: deputy.token,
      body: { confirmation: deputy.email },
    });
});

test('in any order of steps, a school has an admin, and all of them leave at once and only after two operators', async () => {
  let seed = 11;
  const pick = (count: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * count);
  };
  const removedCounts = new Set<number>();
  for (let round = 0; round < 6; round++) {
    school = await app.build.school();
    const deputy = await app.build.staff(school, round % 2 === 0 ? 'teacher' : 'admin');
    const colleague = await app.build.staff(school, 'teacher');
    let checked: number | undefined;
    let dueAt: number | undefined;
    let hasEnded = false;
    const ask = async () => {
      await request([school.teacher, colleague][pick(2)], { former: await adminIds() });
    };
    const recordCheck = async () => {
      const operator = [first, second][pick(2)] as Person;
      if ((await check(operator)).status === 200) checked = operator.id;
    };
    const confirmCheck = async () => {
      const operator = [first, second][pick(2)] as Person;
      if ((await confirm(operator)).status !== 200) return;
      expect(checked).toBeDefined();
      expect(operator.id).not.toBe(checked);
      dueAt = time + DAY;
    };
    const stopIt = async () => {
      const person = [school.admin, school.teacher, deputy][pick(3)] as Person;
      if ((await stop(person)).status === 200) checked = dueAt = undefined;
    };
    const changeStaff = async () => {
      if (pick(2) === 0) await remove(school.admin, colleague.id);
      else await setAdmin(school.admin, deputy.id, pick(2) === 0);
    };
    const wait = async () => {
      const before = await adminIds();
      await later(13 * HOUR);
      await adminRequestsJob(app.services).run({});
      const staff = (await roles()).map(([userId]) => userId);
      if (!staff.includes(school.admin.id)) {
        expect(dueAt).toBeLessThanOrEqual(time);
        expect(before.filter((userId) => staff.includes(userId))).toEqual([]);
        removedCounts.add(before.length);
        hasEnded = true;
      } else if ((await requestRow()) === undefined) checked = dueAt = undefined;
    };
    const interfere = () => (pick(2) === 0 ? stopIt() : changeStaff());
    const steps = [ask, recordCheck, recordCheck, confirmCheck, confirmCheck, wait, wait, wait, interfere];
    for (let step = 0; step < 30; step++) {
      if (hasEnded) break;
      await steps[pick(steps.length)]?.();
      expect(await adminIds()).not.toEqual([]);
    }
  }
  expect([...removedCounts].sort()).toEqual([1, 2]);
});

const adminIds = async () => (await roles()).flatMap(([userId, role]) => (role === 'admin' ? Number(userId) : []));
const requestRow = () =>
  app.database.kysely.selectFrom('admin_requests').select('id').where('school_id', '=', school.id).executeTakeFirst();
