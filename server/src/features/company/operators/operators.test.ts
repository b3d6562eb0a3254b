import { api } from '#contract/api.ts';
import { type Call, isInSchool } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { factorPolicyCalls } from '#contract/calls/factor-policy.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolDetailsCalls } from '#contract/calls/school-details.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { signInProviderCalls } from '#contract/calls/sign-in-providers.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { coverCalls } from '#contract/calls/covers.ts';
import { EXAMPLE } from '#contract/examples.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { inPlatform } from '../../../database/platform.ts';
import { hashToken, sessionIdOf } from '../../../auth/tokens.ts';
import type { BuiltSchool } from '../../../testing/builder.ts';
import { openSubjectRequest } from '../../../testing/subject-requests.ts';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';
import { appointOperator } from './operators.service.ts';

const app = testApp({
  MICROSOFT_CLIENT_ID: '0f0f0f0f-1111-4222-8333-444444444444',
  MICROSOFT_CLIENT_SECRET: 'a-secret',
});
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

const REASON = 'Ticket 4711: a class is missing';
const mint = (token: string, user_id: number, reason = REASON) =>
  app.call(operatorCalls.mintImpersonation, { token, body: { user_id, reason } });
const use = (code: string) => app.call(operatorCalls.impersonate, { body: { code } });

describe('the console', () => {
  test('an operator finds schools by name, ID, URN and address of the staff', async () => {
    const { token } = await app.build.operator();
    const school = await app.build.school({ name: 'St 100%_Cuthbert’s' });
    await app.build.school({ name: 'St 100 Cuthbert’s' });
    const urn = String(Math.floor(100_000 + Math.random() * 899_999));
    await app.database.kysely.updateTable('schools').set({ urn }).where('id', '=', school.id).execute();
    for (const search of ['100%_c', String(school.id), urn, school.teacher.email.toUpperCase()]) {
      const { reply } = await app.call(operatorCalls.findSchools, { token, query: { search } });
      expect(reply.schools.map(({ id }) => id)).toContain(school.id);
    }
    const literal = await app.call(operatorCalls.findSchools, { token, query: { search: '100%_c' } });
    expect(literal.reply).toMatchObject({ schools: [{ staff_count: 2 }], meta: { total_filtered: 1 } });
    expect(
      (await app.call(operatorCalls.findSchools, { token, query: { search: 'no such school' } })).reply.schools,
    ).toEqual([]);
  });

  test('an operator sees the state of a school, and 404 without one', async () => {
    const { token } = await app.build.operator();
    const school = await app.build.school();
    await app.build.invite(school);
    const { reply } = await app.call(operatorCalls.getSchoolState, { token, params: { schoolId: school.id } });
    expect(reply.school).toMatchObject({
      id: school.id,
      counts: { classes: 2, pupils: 4, pending_invites: 1 },
      subscription: { max_readers: 120 },
    });
    expect(reply.school.staff.map(({ id }) => id).sort()).toEqual([school.admin.id, school.teacher.id].sort());
    expect((await app.call(operatorCalls.getSchoolState, { token, params: { schoolId: 999_999 } })).status).toBe(404);
  });

  test('an operator turns on the new statistics for one school, which is logged', async () => {
    const { token } = await app.build.operator();
    const school = await app.build.school();
    const at = { token, params: { schoolId: school.id } };
    expect((await app.call(operatorCalls.getSchoolState, at)).reply.school.new_statistics).toBe(false);
    expect((await app.call(operatorCalls.setSchoolFeatures, { ...at, body: { new_statistics: true } })).status).toBe(
      200,
    );
    expect((await app.call(operatorCalls.getSchoolState, at)).reply.school.new_statistics).toBe(true);
    const log = await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } });
    expect(log.reply.entries.find(({ action }) => action === 'features_changed')).toMatchObject({
      action: 'features_changed',
      details: { new_statistics: true },
    });
    const none = { token, params: { schoolId: 99_999_999 }, body: { new_statistics: true } };
    expect((await app.call(operatorCalls.setSchoolFeatures, none)).status).toBe(404);
  });

  test('the reply about the logged-in user marks operators', async () => {
    const { token } = await app.build.operator();
    expect((await app.call(accessCalls.getMe, { token })).reply.user.is_operator).toBe(true);
  });
});

describe('appointing an operator', () => {
  const account = (id: number, confirmedAt: Date | null) => ({ id, email_confirmed_at: confirmedAt });
  const appoint = (id: number, confirmedAt: Date | null) =>
    inPlatform(app.database, (db) => appointOperator(db, account(id, confirmedAt), 'ops@company.example', new Date()));

  test('appointing an operator fails while the address is unconfirmed, and changes nothing', async () => {
    const person = await app.build.person('standard');
    await expect(appoint(person.id, null)).rejects.toThrow('ops@company.example is not confirmed');
    expect((await app.call(accessCalls.getMe, { token: person.token })).reply.user.is_operator).toBe(false);
  });

  test('appointing an operator ends the sessions that the account had', async () => {
    const person = await app.build.person('standard');
    const other = await app.build.person('standard');
    await appoint(person.id, new Date());
    expect((await app.call(accessCalls.getMe, { token: person.token })).status).toBe(401);
    expect((await app.call(accessCalls.getMe, { token: other.token })).status).toBe(200);
    const { error } = await app.call(accessCalls.logIn, { body: { email: person.email, password: PASSWORD } });
    expect(error.code).toBe('enrolment_required');
  });
});

/** Lets a supply teacher cover the class of a school. Returns the cover's ID. */
async function ownCover({ id, admin, ownClass }: BuiltSchool): Promise<number> {
  const { reply } = await app.call(coverCalls.startCover, {
    token: admin.token,
    params: { id },
    body: { group_id: ownClass.id, first_name: 'Priya', last_name: 'Shah', ends_at: EXAMPLE.coverEnd },
  });
  return reply.cover.id;
}

describe('logging in as a user', () => {
  test('a support session works once, for an hour, and the audit log names operator and user', async () => {
    const operator = await app.build.operator();
    const school = await app.build.school();
    const minted = await mint(operator.token, school.admin.id);
    expect(minted.reply.expires_at).toBe('2026-11-18T12:01:00.000Z');
    const { status, reply } = await use(minted.reply.code);
    expect(status).toBe(200);
    expect(reply.user).toMatchObject({
      id: school.admin.id,
      impersonated_by: { id: operator.id, full_name: 'Morgan Teacher' },
      is_operator: false,
    });
    const { token } = reply.meta;
    expect((await app.call(accessCalls.getMe, { token })).reply.user).toEqual(reply.user);
    const pupil = school.unplaced;
    const allow = { token: school.admin.token, params: { id: school.id } };
    expect((await app.call(supportAccessCalls.allowSupportAccess, allow)).status).toBe(200);
    await app.call(pupilCalls.renamePupil, {
      token,
      params: { id: school.id, readerId: pupil.id },
      body: { name: 'Mina Khan' },
    });

    const log = await app.call(schoolCalls.listAuditLog, { token, params: { id: school.id } });
    const both = { actor: { id: school.admin.id }, impersonator: { id: operator.id, name: 'Morgan Teacher' } };
    expect(log.reply.entries).toMatchObject([
      { action: 'pupil_renamed', ...both },
      { action: 'support_allowed', actor: { id: school.admin.id }, impersonator: null },
      { action: 'impersonation_started', ...both, details: { reason: REASON } },
      {
        action: 'impersonation_prepared',
        actor: { id: operator.id, name: 'Morgan Teacher' },
        impersonator: null,
        details: { reason: REASON },
      },
    ]);

    app.setTime('2026-11-18T12:59:59.000Z');
    expect((await app.call(accessCalls.getMe, { token })).status).toBe(200);
    app.setTime('2026-11-18T13:00:00.000Z');
    expect((await app.call(accessCalls.getMe, { token })).status).toBe(401);
    expect((await app.call(accessCalls.getMe, { token: school.admin.token })).status).toBe(200);
  });

  test('a support code is accepted once of fifty simultaneous uses', async () => {
    const operator = await app.build.operator();
    const { teacher } = await app.build.school();
    const { code } = (await mint(operator.token, teacher.id)).reply;
    expect((await app.call(accessCalls.getMe, { token: code })).status).toBe(401);
    const uses = await Promise.all(Array.from({ length: 50 }, () => use(code)));
    expect(uses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(uses.find(({ status }) => status !== 200)).toMatchObject({
      status: 404,
      error: { error: 'This token is no longer authorised' },
    });
  });

  test('a support code is rejected after 60 seconds, or when its operator or user has left', async () => {
    const operator = await app.build.operator();
    const { teacher } = await app.build.school();
    const late = (await mint(operator.token, teacher.id)).reply.code;
    app.setTime('2026-11-18T12:01:00.000Z');
    expect((await use(late)).status).toBe(404);

    const left = (await mint(operator.token, teacher.id)).reply.code;
    await app.database.kysely.deleteFrom('operators').where('user_id', '=', operator.id).execute();
    expect((await use(left)).status).toBe(404);
    expect((await mint(operator.token, teacher.id)).status).toBe(403);
  });

  test('support has no right that only the owner has, also with an admin’s permission', async () => {
    const operator = await app.build.operator();
    const school = await app.build.school();
    const { token } = (await use((await mint(operator.token, school.admin.id)).reply.code)).reply.meta;
    await app.call(supportAccessCalls.allowSupportAccess, { token: school.admin.token, params: { id: school.id } });
    const answers = [
      await app.call(accessCalls.updateMe, { token, body: { password: 'kite harbour 7', current_password: PASSWORD } }),
      await app.call(accessCalls.updateMe, { token, body: { email: 'mine@test.example', current_password: PASSWORD } }),
      await app.call(accessCalls.updateMe, { token, body: { last_name: 'Renamed' } }),
      await app.call(secondFactorCalls.listFactors, { token }),
      await app.call(signInProviderCalls.listLinkedAccounts, { token }),
      await app.call(factorPolicyCalls.getFactorPolicy, { token, params: { id: school.id } }),
      await app.call(chartCalls.downloadCharts, { token, query: { start_date: '2026-11-01', end_date: '2026-11-18' } }),
      await app.call(readingNeedsCalls.listReadingNeeds, {
        token,
        params: { id: school.id },
        query: { output: 'pdf' },
      }),
      await app.call(schoolDetailsCalls.acceptTerms, { token, params: { id: school.id } }),
      await app.call(schoolDetailsCalls.createSchool, { token, body: { name: 'Another', urn: null } }),
    ];
    expect(answers.map(({ status, error }) => [status, error.code])).toEqual(
      answers.map(() => [409, 'not_while_impersonating']),
    );
    const needs = await app.call(readingNeedsCalls.listReadingNeeds, { token, params: { id: school.id } });
    expect(needs.status).toBe(200);
    expect((await mint(token, school.teacher.id)).status).toBe(403);
    expect((await app.call(accessCalls.logOut, { token })).status).toBe(200);
  });

  test('a support session is announced to the school’s admins by email: who, why and when', async () => {
    const operator = await app.build.operator();
    const school = await app.build.school({ name: 'Mill Lane Primary' });
    const second = await app.build.staff(school, 'admin');
    const unconfirmed = await app.build.staff(school, 'admin');
    await app.database.kysely
      .updateTable('users')
      .set({ email_confirmed_at: null })
      .where('id', '=', unconfirmed.id)
      .execute();
    await app.runJobs();
    app.mails.length = 0;
    const { code } = (await mint(operator.token, school.teacher.id)).reply;
    await app.runJobs();
    expect(app.mails).toEqual([]);
    await use(code);
    await use(code);
    await app.runJobs();
    expect(app.mails.map(({ kind, recipient }) => [kind, recipient]).sort()).toEqual(
      [school.admin, second].map(({ email }) => ['support_access', email]).sort(),
    );
    for (const { text } of app.mails)
      for (const part of ['Mill Lane Primary', 'Who: Morgan Teacher', `Reason: ${REASON}`, '18 November 2026 at 12:00'])
        expect(text).toContain(part);
  });

  const ownerOnly = Object.values<Call>(api).filter((call) => call.ownerOnly);
  test('support may not erase, export, invite, change roles or change how and where the owner is logged in', () => {
    expect(ownerOnly.map(({ name }) => name).sort()).toEqual([
      'acceptInvite',
      'addPasskey',
      'allowSupportAccess',
      'beginAuthenticator',
      'beginPasskey',
      'cancelClosing',
      'cancelEmailChange',
      'cancelOwnRecovery',
      'changeProgram',
      'closeSubjectRequest',
      'confirmAuthenticator',
      'confirmClosing',
      'confirmProgram',
      'decideSubjectText',
      'downloadCharts',
      'downloadPupilReports',
      'downloadSubjectFile',
      'endOtherSessions',
      'endSession',
      'endSupportAccess',
      'eraseFormerMember',
      'eraseOwnAccount',
      'erasePupil',
      'exportAuditLog',
      'exportClassReading',
      'exportClasses',
      'exportPupilSessions',
      'exportPupils',
      'exportSchool',
      'exportSchoolInvoices',
      'exportTeachers',
      'getFactorPolicy',
      'getSubjectRequest',
      'linkAccount',
      'listDataSubjects',
      'listFactors',
      'listLinkedAccounts',
      'listSessions',
      'listSubjectRequests',
      'listSubjectTexts',
      'makeProgram',
      'makeSubjectFile',
      'makeSupplyCard',
      'openSubjectRequest',
      'proveIdentity',
      'proveIdentityWithPasskey',
      'recordLeaver',
      'recordSubjectStep',
      'removeFactor',
      'removeSchoolRecordsConnection',
      'removeSignInConnection',
      'removeTeacher',
      'renameFactor',
      'renewRecoveryCodes',
      'requestAdmin',
      'requestClosing',
      'resendConfirmation',
      'resendInvite',
      'resetFactors',
      'saveSchoolRecordsConnection',
      'saveSignInConnection',
      'sendInvites',
      'setAdmin',
      'setProviderOnly',
      'setRetentionPeriod',
      'setStaffRole',
      'setUpWithProvider',
      'startCover',
      'stopAdminRequest',
      'switchSchool',
      'undoSubjectStep',
      'unlinkAccount',
      'updateFactorPolicy',
      'updateMe',
    ]);
    // An export that is added later must declare it too.
    const exports = Object.values<Call>(api).filter((call) => isInSchool(call) && call.path.endsWith('/export'));
    expect(exports.filter((call) => !call.ownerOnly)).toEqual([]);
  });
  test.each(ownerOnly.map((call) => [call.name, call] as const))(
    'answers 409 to %s, which the owner may do, and changes nothing',
    async (_, call) => {
      // All of these log in from one address.
      await app.database.kysely.deleteFrom('rate_limits').execute();
      const operator = await app.build.operator();
      const school = await app.build.school();
      const { token } = (await use((await mint(operator.token, school.admin.id)).reply.code)).reply.meta;
      const invite = await app.build.invite(school);
      const [pupil] = school.ownClass.pupils;
      if (['confirmClosing', 'cancelClosing'].includes(call.name))
        await app.call(schoolClosingCalls.requestClosing, {
          token: (await app.build.staff(school, 'admin')).token,
          params: { id: school.id },
        });
      if (call.name === 'stopAdminRequest')
        await app.database.kysely
          .insertInto('admin_requests')
          .values({
            school_id: school.id,
            id: 1,
            requested_by: school.teacher.id,
            new_admin_id: school.teacher.id,
            former_admin_ids: [school.admin.id],
            requested_at: new Date(),
          })
          .execute();
      if (call.name === 'erasePupil')
        await app.call(archiveCalls.archivePupils, {
          token: school.admin.token,
          params: { id: school.id },
          body: { reader_ids: [pupil?.id ?? 0] },
        });
      if (call.name === 'removeSchoolRecordsConnection')
        await app.call(schoolRecordsCalls.saveSchoolRecordsConnection, {
          token: school.admin.token,
          params: { id: school.id },
          body: EXAMPLE.schoolRecordsServer,
        });
      if (call.path.includes('/sign-in-connections/'))
        await app.database.kysely
          .insertInto('sign_in_connections')
          .values({
            school_id: school.id,
            provider: 'microsoft',
            tenant: null,
            counts_second_factor: false,
            created_at: new Date(),
          })
          .execute();
      if (call.name === 'eraseFormerMember')
        await app.call(teacherCalls.removeTeacher, {
          token: school.admin.token,
          params: { id: school.id, userId: school.teacher.id },
        });
      const request = call.path.includes('{requestId}')
        ? await openSubjectRequest(app, school, { makesFile: call.name !== 'closeSubjectRequest' })
        : undefined;
      const ids: Record<string, unknown> = {
        requestId: request?.requestId,
        stepId: request?.stepId,
        id: school.id,
        readerId: pupil?.id,
        groupId: school.ownClass.id,
        userId: school.teacher.id,
        factorId: 1,
        adminRequestId: 1,
        linkedAccountId: 1,
        provider: 'microsoft',
        inviteId: invite.id,
        coverId: call.name === 'makeSupplyCard' ? await ownCover(school) : undefined,
        programId: call.path.includes('{programId}') ? (await app.build.program(school)).id : undefined,
        loginSessionId: sessionIdOf(hashToken(school.admin.token)),
      };
      const path = call.path.replace(/\{(\w+)\}/g, (__, name: string) => String(ids[name]));
      const named: Record<string, unknown> = { reader_ids: pupil?.id, group_id: school.ownClass.id };
      const sent = Object.entries(call.example?.query ?? {}).map(([key, value]) => [key, named[key] ?? value]);
      const query = `?${new URLSearchParams(Object.fromEntries(sent) as never)}`;
      const bodyOf = ({ name, example }: Call) => {
        if (name === 'recordLeaver') return { handovers: [{ group_id: school.ownClass.id, user_id: school.admin.id }] };
        if (name === 'startCover') return { ...example?.body, group_id: school.ownClass.id };
        if (name === 'openSubjectRequest') return { ...example?.body, subject: { kind: 'pupil', id: pupil?.id } };
        return { ...example?.body, ...(name === 'decideSubjectText' && { id: request?.noteId }) };
      };
      const send = (as: string) =>
        app.ask(call.method, path + query, {
          token: as,
          ...(call.method === 'POST' ? { payload: bodyOf(call) } : {}),
        });
      const log = async () =>
        (await app.call(schoolCalls.listAuditLog, { token: school.admin.token, params: { id: school.id } })).reply
          .entries;
      const before = await log();
      const { status, error } = await send(token);
      expect([status, error.code]).toEqual([409, 'not_while_impersonating']);
      expect(await log()).toEqual(before);
      if (call.name === 'resendInvite')
        await app.database.kysely
          .updateTable('invites')
          .set({ expires_at: new Date('2026-11-01') })
          .where('school_id', '=', school.id)
          .where('id', '=', invite.id)
          .execute();
      if (call.name === 'resetFactors')
        await app.database.kysely
          .insertInto('login_factors')
          .values({
            user_id: school.teacher.id,
            kind: 'authenticator',
            name: 'Lost phone',
            created_at: new Date(),
            confirmed_at: new Date(),
            sealed_secret: Buffer.alloc(1),
          })
          .execute();
      if (call.tag === 'Programs') await app.build.passkey(school.admin);
      // Their own account's calls succeed in the tests of second factors and of the account.
      if (isInSchool(call) && call.name !== 'eraseOwnAccount' && call.name !== 'requestAdmin')
        expect((await send(school.admin.token)).status).toBeLessThan(300);
    },
  );

  test('support cannot act as an operator or a user without a school', async () => {
    const operator = await app.build.operator();
    const other = await app.build.operator();
    const school = await app.build.school();
    await app.database.kysely
      .insertInto('operators')
      .values({ user_id: school.teacher.id, added_at: new Date() })
      .execute();
    const person = await app.build.person('standard');
    expect([
      (await mint(operator.token, school.teacher.id)).status,
      (await mint(operator.token, other.id)).status,
      (await mint(operator.token, person.id)).status,
    ]).toEqual([409, 404, 404]);
  });

  test.each([
    [{ user_id: 1 }],
    [{ user_id: 1, reason: '' }],
    [{ user_id: 1, reason: 'hm' }],
    [{ user_id: '1', reason: REASON }],
    [{ user_id: [1], reason: REASON }],
  ])('is rejected with %j', async (payload) => {
    const { token } = await app.build.operator();
    expect((await app.ask('POST', '/admin/impersonations', { token, payload })).status).toBe(422);
  });
});
