import { accessCalls } from '#contract/calls/access.ts';
import { factorRecoveryCalls as recovery } from '#contract/calls/factor-recovery.ts';
import { secondFactorCalls as calls } from '#contract/calls/second-factor.ts';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, PASSWORD } from '../../../testing/builder.ts';
import { completeRecovery } from './factor-recovery.service.ts';

const app = testApp();
const NOON = Date.parse('2026-11-18T12:00:00.000Z');
const HOUR = 3_600_000;

let time = NOON;
const later = (milliseconds: number) => app.setTime(new Date((time += milliseconds)).toISOString());
beforeEach(async () => {
  time = NOON;
  later(0);
  await app.runJobs();
  app.mails.length = 0;
});

async function addApp(token: string): Promise<void> {
  const { reply } = await app.call(calls.beginAuthenticator, { token });
  const code = new TOTP({ secret: Secret.fromBase32(reply.secret) }).generate({ timestamp: time });
  expect((await app.call(calls.confirmAuthenticator, { token, body: { code, name: 'Phone' } })).status).toBe(200);
}

const logIn = (email: string) => app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
const works = async (token: string) => (await app.call(accessCalls.getMe, { token })).status === 200;

const mails = async () => {
  await app.runJobs();
  return app.mails
    .splice(0)
    .map(({ recipient, subject }) => [recipient, subject.replace(/ – .*/, '')])
    .sort();
};

const audited = async ({ id }: BuiltSchool) =>
  (
    await app.database.kysely
      .selectFrom('audit_log')
      .select(['action', 'actor_user_id', 'details'])
      .where('school_id', '=', id)
      .where(({ or, eb }) => or([eb('action', 'like', 'login_recovery_%'), eb('action', '=', 'login_factors_reset')]))
      .where('action', 'not like', '%code%')
      .orderBy('id')
      .execute()
  ).map(({ action, actor_user_id: actor, details }) => [action, actor, details]);

describe('an admin', () => {
  const reset = (school: BuiltSchool, userId: number, token = school.admin.token) =>
    app.call(recovery.resetFactors, {
      token,
      params: { id: school.id, userId },
      body: { identity_check: 'in_person' },
    });

  test('removes the factors of a colleague, whose sessions and logins end; both get an email', async () => {
    const school = await app.build.school();
    const { admin, teacher } = school;
    await addApp(teacher.token);
    const { error } = await logIn(teacher.email);
    await mails();
    expect((await reset(school, teacher.id)).status).toBe(200);
    expect(await works(teacher.token)).toBe(false);
    const begun = { token: error.second_factor?.token ?? '', code: '000000' };
    expect((await app.call(calls.logInWithFactor, { body: begun })).error.code).toBe('login_attempt_expired');
    expect(await mails()).toEqual(
      [
        [admin.email, 'You removed the second factors of Morgan Teacher'],
        [teacher.email, 'Your passkeys and authenticator apps were removed'],
      ].sort(),
    );
    expect(await audited(school)).toEqual([['login_factors_reset', admin.id, { identity_check: 'in_person' }]]);
    const { reply } = await logIn(teacher.email);
    const left = await app.call(calls.listFactors, { token: reply.meta.token });
    expect(left.reply).toMatchObject({ factors: [], recovery_codes_left: 0 });
  });

  test('says how they checked who it is', async () => {
    const school = await app.build.school();
    await addApp(school.teacher.token);
    const path = `/enterprises/${school.id}/users/${school.teacher.id}/second-factor/reset`;
    for (const payload of [{}, { identity_check: 'by email' }])
      expect((await app.ask('POST', path, { token: school.admin.token, payload })).status).toBe(422);
    expect(await works(school.teacher.token)).toBe(true);
  });

  test('cannot do it for themselves, for another school, an operator, or someone without a factor', async () => {
    const { school, otherSchool } = await app.build.twoSchools();
    await addApp(school.admin.token);
    await addApp(otherSchool.teacher.token);
    expect((await reset(school, school.admin.id)).error.code).toBe('not_yourself');
    expect((await reset(school, otherSchool.teacher.id)).status).toBe(404);
    expect((await reset(school, school.teacher.id)).error.code).toBe('no_factor');
    await addApp(school.teacher.token);
    await app.database.kysely
      .insertInto('operators')
      .values({ user_id: school.teacher.id, added_at: new Date(time) })
      .execute();
    expect((await reset(school, school.teacher.id)).error.code).toBe('recovery_of_operator');
    expect(await works(school.teacher.token)).toBe(true);
  });

  test('proves first who they are', async () => {
    const school = await app.build.school();
    await addApp(school.teacher.token);
    later(HOUR / 4);
    expect((await reset(school, school.teacher.id)).error.code).toBe('proof_required');
  });
});

describe('two operators', () => {
  const request = (token: string, userId: number) =>
    app.call(recovery.requestRecovery, { token, body: { user_id: userId, identity_check: 'video_call' } });
  const confirm = (token: string, userId: number) => app.call(recovery.confirmRecovery, { token, params: { userId } });
  const operators = async () => [(await app.build.operator()).token, (await app.build.operator()).token] as const;
  const schoolWithFactor = async () => {
    const school = await app.build.school();
    await addApp(school.admin.token);
    await mails();
    return school;
  };

  test('remove the factors of an only admin 24 hours after an email to all staff', async () => {
    const school = await schoolWithFactor();
    const { admin, teacher } = school;
    const [first, second] = await operators();
    expect((await request(first, admin.id)).status).toBe(200);
    expect(await mails()).toEqual([]);
    expect((await confirm(second, admin.id)).status).toBe(200);
    const subject = 'Support will reset the login of Morgan Admin';
    expect(await mails()).toEqual(
      [
        [admin.email, subject],
        [teacher.email, subject],
      ].sort(),
    );
    const { reply } = await app.call(calls.listFactors, { token: admin.token });
    expect(reply.recovery_due_at).toBe('2026-11-19T12:00:00.000Z');
    expect((await app.call(recovery.listRecoveries, { token: first })).reply.recoveries).toHaveLength(1);
    later(24 * HOUR - 1);
    await app.runJobs({ scheduled: true });
    expect(await works(admin.token)).toBe(true);
    later(1);
    await app.runJobs({ scheduled: true });
    expect(await works(admin.token)).toBe(false);
    expect((await logIn(admin.email)).status).toBe(200);
    expect((await audited(school)).map(([action]) => action)).toEqual([
      'login_recovery_requested',
      'login_recovery_confirmed',
      'login_recovery_completed',
    ]);
  });

  test('the removal of factors is announced to confirmed addresses only', async () => {
    const { admin, teacher } = await schoolWithFactor();
    const unknown = { email_confirmed_at: null };
    await app.database.kysely.updateTable('users').set(unknown).where('id', '=', teacher.id).execute();
    const [first, second] = await operators();
    await request(first, admin.id);
    await confirm(second, admin.id);
    expect((await mails()).map(([recipient]) => recipient)).toEqual([admin.email]);
  });

  test('who confirm on the last day still remove them 24 hours later', async () => {
    const { admin } = await schoolWithFactor();
    const [first, second] = await operators();
    await request(first, admin.id);
    await app.database.kysely
      .updateTable('factor_recoveries')
      .set({ requested_at: new Date(time - 7 * 24 * HOUR + 1) })
      .where('user_id', '=', admin.id)
      .execute();
    expect((await confirm(second, admin.id)).status).toBe(200);
    later(HOUR);
    await app.runJobs({ scheduled: true });
    await inPlatform(app.database, (db) => completeRecovery(db, admin.id, new Date(time), app.services.config));
    expect(await works(admin.token)).toBe(true);
    later(23 * HOUR);
    await app.runJobs({ scheduled: true });
    expect(await works(admin.token)).toBe(false);
  });

  test('have nothing left to do once a new admin has helped', async () => {
    const school = await schoolWithFactor();
    const { admin } = school;
    const [first, second] = await operators();
    await request(first, admin.id);
    await confirm(second, admin.id);
    const colleague = await app.build.staff(school, 'admin');
    const params = { id: school.id, userId: admin.id };
    const body = { identity_check: 'in_person' } as const;
    expect((await app.call(recovery.resetFactors, { token: colleague.token, params, body })).status).toBe(200);
    const { reply } = await logIn(admin.email);
    await addApp(reply.meta.token);
    later(24 * HOUR);
    await app.runJobs({ scheduled: true });
    expect(await works(reply.meta.token)).toBe(true);
  });

  test('a recovery needs two different operators, and one of simultaneous confirmations succeeds', async () => {
    const { admin } = await schoolWithFactor();
    const [first, second] = await operators();
    const third = await app.build.operator();
    expect((await confirm(second, admin.id)).status).toBe(404);
    await request(first, admin.id);
    expect((await request(second, admin.id)).error.code).toBe('recovery_pending');
    expect((await confirm(first, admin.id)).error.code).toBe('recovery_by_another');
    const answers = await Promise.all([confirm(second, admin.id), confirm(third.token, admin.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await mails()).toHaveLength(2);
  });

  test('confirm within 7 days, and only while the first is an operator', async () => {
    const { admin } = await schoolWithFactor();
    const first = await app.build.operator();
    const second = await app.build.operator();
    await request(first.token, admin.id);
    later(7 * 24 * HOUR);
    const prove = (token: string) =>
      app.database.kysely
        .updateTable('sessions')
        .set({ proved_at: new Date(time) })
        .where('user_id', '=', token === first.token ? first.id : second.id)
        .execute();
    await prove(second.token);
    expect((await confirm(second.token, admin.id)).status).toBe(404);
    await app.runJobs({ scheduled: true });
    await prove(first.token);
    expect((await request(first.token, admin.id)).status).toBe(200);
    await app.database.kysely.deleteFrom('operators').where('user_id', '=', first.id).execute();
    expect((await confirm(second.token, admin.id)).status).toBe(404);
  });

  test.each(['the person', 'an operator'])('are stopped by %s', async (who) => {
    const { admin } = await schoolWithFactor();
    const [first, second] = await operators();
    await request(first, admin.id);
    await confirm(second, admin.id);
    const cancelled =
      who === 'the person'
        ? await app.call(recovery.cancelOwnRecovery, { token: admin.token })
        : await app.call(recovery.cancelRecovery, { token: first, params: { userId: admin.id } });
    expect(cancelled.status).toBe(200);
    later(24 * HOUR);
    await app.runJobs({ scheduled: true });
    expect(await works(admin.token)).toBe(true);
    expect((await app.call(recovery.cancelOwnRecovery, { token: admin.token })).status).toBe(404);
  });

  test('rejects a recovery that an admin of the school can do', async () => {
    const school = await schoolWithFactor();
    const [first] = await operators();
    await addApp(school.teacher.token);
    expect((await request(first, school.teacher.id)).error.code).toBe('recovery_by_admin');
    await app.build.staff(school, 'admin');
    expect((await request(first, school.admin.id)).error.code).toBe('recovery_by_admin');
    const without = await app.build.school();
    expect((await request(first, without.admin.id)).error.code).toBe('no_factor');
    expect((await request(first, (await app.build.person('enterprise')).id)).status).toBe(404);
  });
});
