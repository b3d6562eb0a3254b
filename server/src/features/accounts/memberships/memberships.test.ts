import { accessCalls, type User } from '#contract/calls/access.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { membershipCalls as calls } from '#contract/calls/memberships.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD, type Person } from '../../../testing/builder.ts';

const app = testApp();
const START = '2026-11-18T12:00:00.000Z';
beforeEach(() => app.setTime(START));

const later = (minutes: number) => app.setTime(new Date(Date.parse(START) + minutes * 60_000).toISOString());

const me = async (token: string) => (await app.call(accessCalls.getMe, { token })).reply?.user;
const schoolsOf = ({ memberships }: User) => memberships.map((membership) => membership.enterprise.id);
const switchTo = (token: string, { id }: { id: number }) =>
  app.call(calls.switchSchool, { token, body: { enterprise_id: id } });
const logIn = async ({ email }: Person) => {
  const { status, reply, error } = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
  return { status, code: error?.code, token: reply?.meta?.token ?? '', schoolId: reply?.user?.enterprise_id };
};
const readSchool = (token: string, { id }: { id: number }, headers?: Record<string, string>) =>
  app.call(schoolCalls.getSchool, { token, params: { id }, ...(headers && { headers }) });
const remove = (from: BuiltSchool, { id: userId }: { id: number }) =>
  app.call(teacherCalls.removeTeacher, { token: from.admin.token, params: { id: from.id, userId } });
const logOf = async (school: BuiltSchool) =>
  (
    await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } })
  ).reply.entries.map(({ action }) => action);
const requireFactors = ({ id }: { id: number }) =>
  app.database.kysely
    .updateTable('schools')
    .set({ admins_factor_from: '2026-11-01', teachers_factor_from: '2026-11-01' })
    .where('id', '=', id)
    .execute();

/** Two schools, and the first one’s teacher who is an admin of the second. */
async function personOfTwo() {
  const { school, otherSchool } = await app.build.twoSchools();
  const person = school.teacher;
  await app.build.join(person, otherSchool, 'admin');
  return { school, otherSchool, person };
}

describe('switching', () => {
  test('the session continues in the other school with the role there, and the next login begins there', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const memberships = [
      { enterprise: { id: school.id, name: school.name }, enterprise_user_role: 'teacher', role: 'teacher' },
      { enterprise: { id: otherSchool.id, name: otherSchool.name }, enterprise_user_role: 'admin', role: 'admin' },
    ].sort((one, other) => (one.enterprise.name < other.enterprise.name ? -1 : 1));
    expect(await me(person.token)).toMatchObject({ enterprise_id: school.id, memberships });
    expect((await readSchool(person.token, otherSchool)).status).toBe(404);
    later(5);
    const { status, reply } = await switchTo(person.token, otherSchool);
    expect([status, reply.user.enterprise_id, reply.user.enterprise_user_role]).toEqual([200, otherSchool.id, 'admin']);
    expect(reply.user.memberships).toEqual(memberships);
    expect((await readSchool(person.token, otherSchool)).status).toBe(200);
    expect((await readSchool(person.token, school)).status).toBe(404);
    expect(await logOf(otherSchool)).toEqual(['logged_in']);
    expect((await logIn(person)).schoolId).toBe(otherSchool.id);
    later(10);
    expect((await switchTo(person.token, school)).status).toBe(200);
    expect((await logIn(person)).schoolId).toBe(school.id);
  });

  test('a switch to the school that the session is in is no login', async () => {
    const { school, person } = await personOfTwo();
    expect((await switchTo(person.token, school)).status).toBe(200);
    expect(await logOf(school)).toEqual([]);
    const events = app.database.kysely.selectFrom('login_events').select('method').where('school_id', '=', school.id);
    expect(await events.execute()).toEqual([]);
  });

  test('a switch is in the history of logins of the school that it enters', async () => {
    const { otherSchool, person } = await personOfTwo();
    await switchTo(person.token, otherSchool);
    const events = app.database.kysely
      .selectFrom('login_events')
      .select(['user_id', 'method'])
      .where('school_id', '=', otherSchool.id);
    expect(await events.execute()).toEqual([{ user_id: person.id, method: 'switch' }]);
  });

  test('other sessions of the person stay where they are', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const { token } = await logIn(person);
    expect((await switchTo(token, school)).status).toBe(200);
    expect((await me(token))?.enterprise_id).toBe(school.id);
    expect((await switchTo(person.token, otherSchool)).status).toBe(200);
    expect((await me(token))?.enterprise_id).toBe(school.id);
  });

  test('a school of which the person is not, or no longer, a member is not found', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const third = await app.build.school();
    expect(await switchTo(person.token, third)).toMatchObject({ status: 404 });
    expect((await remove(otherSchool, person)).status).toBe(200);
    expect(await switchTo(person.token, otherSchool)).toMatchObject({
      status: 404,
      error: { error: 'You do not work at this school with this account.' },
    });
    expect(await me(person.token)).toMatchObject({ enterprise_id: school.id, memberships: [{ enterprise: {} }] });
  });

  test('a school that needs a second factor is entered with one alone', async () => {
    const { otherSchool, person } = await personOfTwo();
    await requireFactors(otherSchool);
    expect(await switchTo(person.token, otherSchool)).toMatchObject({
      status: 409,
      error: { code: 'second_factor_needed' },
    });
    await app.build.passkey(person);
    expect((await switchTo(person.token, otherSchool)).status).toBe(200);
    expect((await me(person.token))?.enterprise_id).toBe(otherSchool.id);
  });

  test('the policy of a school applies to a login that enters it, and not to one that enters the other', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    later(5);
    await switchTo(person.token, otherSchool);
    await requireFactors(otherSchool);
    expect(await logIn(person)).toMatchObject({ status: 401, code: 'enrolment_required' });
    await app.database.kysely
      .updateTable('user_schools')
      .set({ entered_at: new Date('2026-11-18T13:00:00.000Z') })
      .where('school_id', '=', school.id)
      .execute();
    expect((await logIn(person)).schoolId).toBe(school.id);
  });

  test('an operator logged in as the person sees one school and cannot switch', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const operator = await app.build.operator();
    const reason = 'Asked for help by phone';
    for (const { id } of [school, otherSchool]) {
      const { reply } = await app.call(operatorCalls.mintImpersonation, {
        token: operator.token,
        body: { user_id: person.id, enterprise_id: id, reason },
      });
      const { reply: signedIn } = await app.call(operatorCalls.impersonate, { body: { code: reply.code } });
      const { user, meta } = signedIn;
      expect([user.enterprise_id, schoolsOf(user)]).toEqual([id, [id]]);
      expect(await switchTo(meta.token, school)).toMatchObject({ status: 409 });
    }
  });
});

describe('the header Portal-School', () => {
  test('a call that names the school left since is answered 409 and changes nothing', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const headers = { 'portal-school': String(school.id) };
    expect((await readSchool(person.token, school, headers)).status).toBe(200);
    await switchTo(person.token, otherSchool);
    const saved = await app.call(accessCalls.updateMe, {
      token: person.token,
      body: { first_name: 'Changed' },
      headers,
    });
    expect(saved).toMatchObject({ status: 409, error: { code: 'school_switched' } });
    expect((await me(person.token))?.first_name).toBe('Morgan');
    expect(await readSchool(person.token, school, headers)).toMatchObject({ error: { code: 'school_switched' } });
    await switchTo(person.token, school);
    expect((await readSchool(person.token, school, headers)).status).toBe(200);
  });
});

describe('joining a second school', () => {
  const accept = (token: string, inviteId: string) =>
    app.call(inviteCalls.acceptInvite, { token, params: { inviteId } });

  test('needs a proof, keeps the first school, and the session stays there', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    const invite = await app.build.invite(otherSchool, school.teacher.email);
    later(20);
    expect(await accept(school.teacher.token, invite.link)).toMatchObject({
      status: 409,
      error: { code: 'proof_required' },
    });
    const { token } = await logIn(school.teacher);
    const { status, reply } = await accept(token, invite.link);
    expect([status, reply]).toEqual([200, { enterprise_id: otherSchool.id }]);
    const user = await me(token);
    expect(user?.enterprise_id).toBe(school.id);
    expect(user?.memberships).toHaveLength(2);
    expect((await switchTo(token, otherSchool)).status).toBe(200);
    expect((await app.call(inviteCalls.acceptInvite, { token, params: { inviteId: invite.link } })).status).toBe(409);
  });

  test('an invitation of a school where the person works already is answered 409', async () => {
    const { otherSchool, person } = await personOfTwo();
    const invite = await app.build.invite(otherSchool, person.email);
    expect(await accept(person.token, invite.link)).toMatchObject({ error: { code: 'already_on_staff' } });
  });

  test('a person with fifty schools joins no other', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    const rows = Array.from({ length: 49 }, (_, index) => ({
      user_id: school.teacher.id,
      school_id: 900_000 + index,
      entered_at: new Date('2026-01-01'),
    }));
    await app.database.kysely.insertInto('user_schools').values(rows).execute();
    const invite = await app.build.invite(otherSchool, school.teacher.email);
    expect(await accept(school.teacher.token, invite.link)).toMatchObject({ error: { code: 'too_many_schools' } });
  });

  test('a person who works at a school does not register another', async () => {
    const { person } = await personOfTwo();
    const body = { name: 'A third', urn: null };
    const answer = await app.call(schoolDetailsCalls.createSchool, { token: person.token, body });
    expect(answer).toMatchObject({ status: 409, error: { code: 'already_in_school' } });
  });

  test('who invites learns that a person works elsewhere, unless accounts are hidden', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    const send = async (email: string) =>
      (
        await app.call(inviteCalls.sendInvites, {
          token: school.admin.token,
          params: { id: school.id },
          body: { email: [email], name: ['Someone Else'] },
        })
      ).reply.sent.map(({ works_elsewhere }) => works_elsewhere);
    expect(await send(otherSchool.teacher.email)).toEqual([true]);
    expect(await send('unknown-person@test.example')).toEqual([false]);
    const { config } = app.services;
    Object.assign(config, { hideAccounts: true });
    expect(await send(otherSchool.admin.email)).toEqual([false]);
    Object.assign(config, { hideAccounts: false });
  });
});

describe('leaving', () => {
  test('one of two schools ends the sessions there alone', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const { token: there } = await logIn(person);
    await switchTo(there, otherSchool);
    expect((await remove(otherSchool, person)).status).toBe(200);
    expect(await me(there)).toBeUndefined();
    expect((await me(person.token))?.enterprise_id).toBe(school.id);
    expect((await logIn(person)).schoolId).toBe(school.id);
  });

  test('the last school ends every session and link', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const link = await app.build.link('password_reset', person.id);
    const verify = () => app.ask('POST', '/users/password/verify', { payload: { token: link } });
    await remove(otherSchool, person);
    expect((await verify()).status).toBe(200);
    await remove(school, person);
    expect(await me(person.token)).toBeUndefined();
    expect((await verify()).status).toBe(404);
    expect((await logIn(person)).schoolId).toBeNull();
  });

  test('both schools at once: the second one ends everything', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    const [one, other] = await Promise.all([remove(school, person), remove(otherSchool, person)]);
    expect([one.status, other.status]).toEqual([200, 200]);
    const left = await app.database.kysely
      .selectFrom('user_schools')
      .select('school_id')
      .where('user_id', '=', person.id)
      .execute();
    expect(left).toEqual([]);
    expect(await me(person.token)).toBeUndefined();
  });

  test('the classes of the other school keep their teacher', async () => {
    const { school, otherSchool, person } = await personOfTwo();
    await remove(otherSchool, person);
    const { reply } = await readSchool(school.admin.token, school);
    expect(reply.enterprise.groups.find(({ id }) => id === school.ownClass.id)?.manager_id).toBe(person.id);
  });
});
