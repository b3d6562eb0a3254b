import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { downloadCalls } from '#contract/calls/downloads.ts';
import { factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import { inviteCalls } from '#contract/calls/invites.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { passwordCalls } from '#contract/calls/passwords.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { secondFactorCalls as calls } from '#contract/calls/second-factor.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import type { AssignableRole } from '#contract/permissions.ts';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { SoftwarePasskey } from '../../../testing/software-passkey.ts';

const ORIGIN = 'https://portal.test.example';
const app = testApp({ PUBLIC_URL: ORIGIN });
const TODAY = '2026-11-18';

let now = '';
const setTime = (time: string) => app.setTime((now = time));
beforeEach(() => setTime(`${TODAY}T12:00:00.000Z`));

const codeOf = (secret: string) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.parse(now) });
const logIn = (email: string) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
const me = (token: string) => app.call(accessCalls.getMe, { token });

const requireFrom = (school: { id: number }, admins: string | null, teachers: string | null) =>
  app.database.kysely
    .updateTable('schools')
    .set({ admins_factor_from: admins, teachers_factor_from: teachers })
    .where('id', '=', school.id)
    .execute();

async function enrolment(email: string): Promise<string> {
  const { status, error } = await logIn(email);
  expect([status, error.code, error.second_factor?.methods]).toEqual([401, 'enrolment_required', []]);
  return error.second_factor?.token ?? '';
}

async function enrol(token: string) {
  const begun = await app.call(calls.beginEnrolmentApp, { body: { token } });
  if (begun.status !== 200) return begun;
  return app.call(calls.enrolApp, { body: { token, code: codeOf(begun.reply.secret), name: 'Phone' } });
}

async function addApp(token: string): Promise<number> {
  const { reply } = await app.call(calls.beginAuthenticator, { token });
  const body = { code: codeOf(reply.secret), name: 'Phone' };
  return (await app.call(calls.confirmAuthenticator, { token, body })).reply.factor.id;
}

const save = (school: BuiltSchool, body: { required: 'optional' | 'admins' | 'all'; from?: string }) =>
  app.call(factorPolicyCalls.updateFactorPolicy, { token: school.admin.token, params: { id: school.id }, body });

const policyOf = async ({ id, admin }: BuiltSchool) =>
  (await app.call(factorPolicyCalls.getFactorPolicy, { token: admin.token, params: { id } })).reply;

describe('the policy of a school', () => {
  test('a second factor is optional in existing schools, and admins of a new school have 14 days to add one', async () => {
    const school = await app.build.school();
    expect((await policyOf(school)).policy).toEqual({ required: 'optional', admins_from: null, teachers_from: null });
    expect((await logIn(school.admin.email)).status).toBe(200);
    const { token } = await app.build.person('enterprise');
    const body = { name: 'New Row Primary', type: 'school' as const };
    const { id } = (await app.call(schoolDetailsCalls.createSchool, { token, body })).reply.enterprise;
    const row = await app.database.kysely
      .selectFrom('schools')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect([row.admins_factor_from, row.teachers_factor_from]).toEqual(['2026-12-02', null]);
    expect((await me(token)).reply.user.second_factor_due_on).toBe('2026-12-02');
  });

  test('an admin chooses the policy with 14 days’ notice, and the audit log records it', async () => {
    const school = await app.build.school();
    for (const from of [undefined, '2026-12-01', '2027-12-01'])
      expect((await save(school, { required: 'admins', ...(from && { from }) })).error.errors).toHaveProperty('from');
    expect((await save(school, { required: 'admins', from: '2026-12-02' })).reply.policy).toEqual({
      required: 'admins',
      admins_from: '2026-12-02',
      teachers_from: null,
    });
    // Admins keep the day that was announced to them.
    expect((await save(school, { required: 'all', from: '2026-12-20' })).reply.policy).toEqual({
      required: 'all',
      admins_from: '2026-12-02',
      teachers_from: '2026-12-20',
    });
    expect((await save(school, { required: 'optional' })).reply.policy.required).toBe('optional');
    const actions = await app.database.kysely
      .selectFrom('audit_log')
      .select('details')
      .where('school_id', '=', school.id)
      .where('action', '=', 'login_factor_policy_changed')
      .orderBy('id')
      .execute();
    expect(actions.map(({ details }) => (details as { required: string }).required)).toEqual([
      'admins',
      'all',
      'optional',
    ]);
  });

  test('the policy can be saved again before its day with the day that was announced', async () => {
    const school = await app.build.school();
    await requireFrom(school, '2026-11-20', null);
    expect((await save(school, { required: 'admins', from: '2026-11-20' })).status).toBe(200);
    expect((await save(school, { required: 'admins', from: '2026-11-21' })).status).toBe(422);
  });

  test('a wider policy gives no later day to those who already need a second factor', async () => {
    const school = await app.build.school();
    await addApp(school.admin.token);
    await requireFrom(school, '2026-11-01', null);
    expect((await save(school, { required: 'admins', from: '2026-12-20' })).reply.policy.admins_from).toBe(
      '2026-11-01',
    );
    expect((await save(school, { required: 'all', from: '2026-12-20' })).reply.policy.admins_from).toBe('2026-11-01');
  });

  test('admins need a second factor no later than teachers, also when a later day was announced to them', async () => {
    const school = await app.build.school();
    await requireFrom(school, '2026-12-20', null);
    expect((await save(school, { required: 'all', from: '2026-12-10' })).reply.policy).toEqual({
      required: 'all',
      admins_from: '2026-12-10',
      teachers_from: '2026-12-10',
    });
  });

  test('admins see which staff have no second factor', async () => {
    const school = await app.build.school();
    const names = async () => (await policyOf(school)).without_factor.map(({ id }) => id).sort();
    expect(await names()).toEqual([school.admin.id, school.teacher.id].sort());
    await app.call(calls.beginAuthenticator, { token: school.teacher.token });
    expect(await names()).toHaveLength(2);
    await addApp(school.teacher.token);
    expect(await names()).toEqual([school.admin.id]);
  });

  test('the policy is announced for 14 days to each person without a second factor', async () => {
    const school = await app.build.school();
    await requireFrom(school, '2026-12-03', '2026-12-02');
    const dueOn = async (token: string) => (await me(token)).reply.user.second_factor_due_on;
    expect(await dueOn(school.admin.token)).toBeNull();
    expect(await dueOn(school.teacher.token)).toBe('2026-12-02');
    await addApp(school.teacher.token);
    expect(await dueOn(school.teacher.token)).toBeNull();
  });
});

describe('when a second factor is required', () => {
  test('sessions without a second factor end when the day of the policy starts at the school', async () => {
    const school = await app.build.school({ timeZone: 'Pacific/Auckland' });
    await requireFrom(school, '2026-11-19', null);
    setTime('2026-11-18T10:59:59.000Z');
    expect((await me(school.admin.token)).status).toBe(200);
    expect((await logIn(school.admin.email)).status).toBe(200);
    setTime('2026-11-18T11:00:00.000Z');
    expect((await me(school.admin.token)).status).toBe(401);
    expect((await me(school.teacher.token)).status).toBe(200);
    await enrolment(school.admin.email);
    expect((await logIn(school.teacher.email)).status).toBe(200);
  });

  test('a login under the policy adds a second factor, shows the recovery codes and is then complete', async () => {
    const school = await app.build.school();
    await requireFrom(school, TODAY, TODAY);
    const token = await enrolment(school.teacher.email);
    // The token opens nothing else.
    expect((await me(token)).status).toBe(401);
    expect((await app.call(calls.logInWithFactor, { body: { token, code: '000000' } })).error.code).toBe(
      'login_attempt_expired',
    );
    const { status, reply } = await enrol(token);
    expect(status).toBe(200);
    const entered = reply as { recovery_codes: string[]; meta: { token: string } };
    expect(entered.recovery_codes).toHaveLength(10);
    expect((await me(entered.meta.token)).status).toBe(200);
    expect((await logIn(school.teacher.email)).error.second_factor?.methods).toContain('authenticator');
    expect((await app.call(calls.beginEnrolmentApp, { body: { token } })).error.code).toBe('login_attempt_expired');
  });

  test('a passkey can be the second factor that a login adds', async () => {
    const school = await app.build.school();
    await requireFrom(school, TODAY, null);
    const token = await enrolment(school.admin.email);
    const { reply } = await app.call(calls.beginEnrolmentPasskey, { body: { token } });
    const passkey = new SoftwarePasskey(ORIGIN).create({
      challenge: reply.options.challenge,
      rpId: 'portal.test.example',
    });
    const added = await app.call(calls.enrolPasskey, { body: { token, passkey, name: 'Laptop' } });
    expect(added.reply.recovery_codes).toHaveLength(10);
    expect((await me(added.reply.meta.token)).status).toBe(200);
  });

  test('a login in two windows adds one second factor', async () => {
    const school = await app.build.school();
    await requireFrom(school, TODAY, null);
    const tokens = [await enrolment(school.admin.email), await enrolment(school.admin.email)];
    const secrets: string[] = [];
    for (const token of tokens)
      secrets.push((await app.call(calls.beginEnrolmentApp, { body: { token } })).reply.secret);
    const code = codeOf(secrets[1] ?? '');
    const answers = await Promise.all(
      tokens.map((token) => app.call(calls.enrolApp, { body: { token, code, name: 'Phone' } })),
    );
    const [, later] = answers.map(({ status, error }) => (status === 200 ? '' : error.code)).sort();
    // The first factor ends the other window's login: before it looks for its step, or after.
    expect(['already_enrolled', 'login_attempt_expired']).toContain(later);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const token of tokens) expect((await enrol(token)).status).not.toBe(200);
  });

  test('a login has 15 minutes to add a second factor', async () => {
    const school = await app.build.school();
    await requireFrom(school, TODAY, null);
    const token = await enrolment(school.admin.email);
    setTime(`${TODAY}T12:15:00.000Z`);
    expect((await enrol(token)).error.code).toBe('login_attempt_expired');
  });

  test('a person who is removed from the school while adding a factor starts again', async () => {
    const school = await app.build.school();
    await requireFrom(school, null, TODAY);
    const token = await enrolment(school.teacher.email);
    const params = { id: school.id, userId: school.teacher.id };
    await app.call(teacherCalls.removeTeacher, { token: school.admin.token, params });
    expect((await enrol(token)).error.code).toBe('login_attempt_expired');
    expect((await logIn(school.teacher.email)).status).toBe(200);
  });

  test('a person who is demoted while adding a factor, or whose policy is dropped, still completes the login', async () => {
    const school = await app.build.school();
    const other = await app.build.staff(school, 'admin');
    await requireFrom(school, TODAY, null);
    const token = await enrolment(other.email);
    await requireFrom(school, null, null);
    expect((await enrol(token)).status).toBe(200);
  });

  test('a session without a second factor that began just before the day ends', async () => {
    const school = await app.build.school();
    const { reply } = await logIn(school.admin.email);
    await requireFrom(school, TODAY, null);
    expect((await me(reply.meta.token)).status).toBe(401);
  });

  test('the last second factor cannot be removed under the policy, but replaced', async () => {
    const school = await app.build.school();
    const { token } = school.admin;
    const remove = (factorId: number) => app.call(calls.removeFactor, { token, params: { factorId } });
    const first = await addApp(token);
    await requireFrom(school, TODAY, null);
    expect(await remove(first)).toMatchObject({ status: 409, error: { code: 'last_factor' } });
    expect((await app.call(calls.listFactors, { token })).reply.recovery_codes_left).toBe(10);
    const second = await addApp(token);
    const answers = await Promise.all([remove(first), remove(second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await requireFrom(school, null, null);
    const left = (await app.call(calls.listFactors, { token })).reply.factors[0]?.id ?? 0;
    expect((await remove(left)).status).toBe(200);
  });

  test('a new password is chosen before the second factor, and does not replace its proof', async () => {
    const school = await app.build.school();
    await requireFrom(school, TODAY, null);
    await app.database.kysely
      .updateTable('users')
      .set({ require_password_reset: true })
      .where('id', '=', school.admin.id)
      .execute();
    const body = { token: await app.build.link('set_up', school.admin.id) };
    const { token } = (await app.call(passwordCalls.exchangeSetUpLink, { body })).reply.meta;
    expect((await app.call(calls.beginAuthenticator, { token })).error.code).toBe('proof_required');
    expect((await app.call(accessCalls.updateMe, { token, body: { password: 'kite harbour 7' } })).status).toBe(200);
    expect((await me(token)).status).toBe(401);
  });
});

describe('an operator', () => {
  test('an operator always has a second factor', async () => {
    const operator = await app.build.operator();
    expect((await logIn(operator.email)).error.code).toBe('second_factor_required');
    await app.database.kysely.deleteFrom('login_factors').where('user_id', '=', operator.id).execute();
    expect((await me(operator.token)).status).toBe(401);
    expect((await enrol(await enrolment(operator.email))).status).toBe(200);
  });

  test('an operator proves who they are before entering a school', async () => {
    const { teacher } = await app.build.school();
    const { token } = await app.build.operator();
    const enter = () =>
      app.call(operatorCalls.mintImpersonation, { token, body: { user_id: teacher.id, reason: 'A question' } });
    expect((await enter()).status).toBe(200);
    setTime(`${TODAY}T12:15:00.000Z`);
    expect(await enter()).toMatchObject({ status: 409, error: { code: 'proof_required' } });
  });
});

describe('15 minutes after the login', () => {
  test.each([
    ['a download of the whole school', (s: BuiltSchool) => app.call(downloadCalls.exportSchool, own(s))],
    ['a list of pupils', (s: BuiltSchool) => app.call(downloadCalls.exportPupils, own(s))],
    [
      'the erasure of a pupil',
      (s: BuiltSchool) => app.call(archiveCalls.erasePupil, own(s, { readerId: s.unplaced.id })),
    ],
    [
      'a promotion',
      (s: BuiltSchool) =>
        app.call(teacherCalls.setAdmin, { ...own(s, { userId: s.teacher.id }), body: { admin: true } }),
    ],
    [
      'the invitation of an admin',
      (s: BuiltSchool) =>
        app.call(inviteCalls.sendInvites, {
          ...own(s),
          body: { email: ['new@test.example'], name: ['New'], role: 'admin' },
        }),
    ],
    ['a change of the policy', (s: BuiltSchool) => save(s, { required: 'optional' })],
  ])('%s needs a proof, for which the password is enough without a second factor', async (_what, request) => {
    const school = await app.build.school();
    setTime(`${TODAY}T12:15:00.000Z`);
    expect((await request(school)).error.code).toBe('proof_required');
    const { token } = school.admin;
    expect((await app.call(calls.proveIdentity, { token, body: { password: PASSWORD } })).status).toBe(200);
    expect([200, 404]).toContain((await request(school)).status);
  });

  const own = (school: BuiltSchool, more = {}) => ({
    token: school.admin.token,
    params: { id: school.id, ...more } as never,
  });

  test('teachers and teaching assistants are invited without a proof, and only the invitations of the others are sent again with one', async () => {
    const school = await app.build.school();
    const { id, admin } = school;
    const send = (role: AssignableRole) =>
      app.call(inviteCalls.sendInvites, {
        token: admin.token,
        params: { id },
        body: { email: [`${role}@${id}.test.example`], name: [role], role },
      });
    const others = ['admin', 'reading_lead', 'business_manager', 'data_protection_officer'] as const;
    for (const role of others) expect((await send(role)).status).toBe(200);
    setTime(`${TODAY}T12:15:00.000Z`);
    for (const role of ['teacher', 'teaching_assistant'] as const) expect((await send(role)).status).toBe(200);
    const asOneOfMany = await app.call(inviteCalls.sendInvites, {
      token: admin.token,
      params: { id },
      body: { email: [`many@${id}.test.example`, `one@${id}.test.example`], roles: ['teacher', 'admin'] },
    });
    expect(asOneOfMany.error.code).toBe('proof_required');
    const { invites } = (await app.call(inviteCalls.listInvites, { token: admin.token, params: { id } })).reply;
    for (const { id: inviteId, role } of invites) {
      const { status } = await app.call(inviteCalls.resendInvite, { token: admin.token, params: { id, inviteId } });
      expect([role, status]).toEqual([role, others.some((other) => other === role) ? 409 : 200]);
    }
  });
});
