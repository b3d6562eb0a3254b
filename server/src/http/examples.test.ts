import { api } from '#contract/api.ts';
import { answersFilesAlone, type Call, hasBody } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { adminRequestCalls } from '#contract/calls/admin-requests.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { coverCalls } from '#contract/calls/covers.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilTagCalls } from '#contract/calls/pupil-tags.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { schoolRecordsCalls } from '#contract/calls/school-records.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { signInProviderCalls } from '#contract/calls/sign-in-providers.ts';
import { teacherCalls } from '#contract/calls/teachers.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { toErrorReply } from '#contract/error-reply.ts';
import { EXAMPLE, exampleParams } from '#contract/examples.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken, newToken, sessionIdOf } from '../auth/tokens.ts';
import { inPlatform } from '../database/platform.ts';
import { inSchool } from '../database/school.ts';
import { replaceEmailChange } from '../features/accounts/access/email-change.queries.ts';
import { insertDigestLink } from '../features/reading/weekly-digest/weekly-digest.queries.ts';
import { openSubjectRequest } from '../testing/subject-requests.ts';
import { testApp } from '../testing/app.ts';
import { listOwnValues, replaceValues } from '../testing/example-requests.ts';
import { startOneRosterServer } from '../testing/oneroster-server.ts';
import { startFakeStripe } from '../testing/fake-stripe.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';
import { SoftwarePasskey } from '../testing/software-passkey.ts';

const stripe = await startFakeStripe();
afterAll(() => stripe.stop());
const roster = await startOneRosterServer({
  pupils: [{ id: 'p1', given: 'Dilys', family: 'Okoro', classes: ['k1'] }],
  classes: [{ id: 'k1', title: 'Year 3 Otters' }],
});
afterAll(() => roster.stop());
const app = testApp({
  OIDC_PRIVATE_NETWORK: 'on',
  ...stripe.settings,
  MICROSOFT_CLIENT_ID: '0f0f0f0f-1111-4222-8333-444444444444',
  MICROSOFT_CLIENT_SECRET: 'a-secret',
});
let school: BuiltSchool;
/** The test's own value for each value in the examples. */
let own: Map<unknown, unknown>;

beforeEach(async () => {
  school = await app.build.school();
  passkey = new SoftwarePasskey(PORTAL.origin);
  own = listOwnValues(school, (await app.build.invite(school)).link);
});

const replaced = (value: unknown): unknown => replaceValues(value, own);

const admin = () => school.admin.token;

/** Preconditions of some calls. */
const before: { [Name in keyof typeof api]?: () => Promise<string | undefined> } = {
  logInWithFactor: async () => {
    const secret = await beginApp();
    await confirmApp(secret);
    const { email } = school.admin;
    const { error } = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
    own.set(EXAMPLE.token, error.second_factor?.token);
    own.set(EXAMPLE.code, codeOf(secret, 30));
    return undefined;
  },
  addPupilAssistant: async () => {
    own.set(EXAMPLE.teacher, (await app.build.staff(school, 'teaching_assistant')).id);
    return admin();
  },
  beginEnrolmentApp: enrolling,
  enrolApp: async () => {
    await enrolling();
    const begun = await app.call(secondFactorCalls.beginEnrolmentApp, {
      body: { token: String(own.get(EXAMPLE.token)) },
    });
    own.set(EXAMPLE.code, codeOf(begun.reply.secret));
    return undefined;
  },
  beginEnrolmentPasskey: enrolling,
  enrolPasskey: async () => {
    await enrolling();
    const body = { token: String(own.get(EXAMPLE.token)) };
    const { reply } = await app.call(secondFactorCalls.beginEnrolmentPasskey, { body });
    own.set(EXAMPLE.passkey, passkey.create({ challenge: reply.options.challenge, rpId: PORTAL.hostname }));
    return undefined;
  },
  confirmClosing: async () => {
    const params = { id: school.id };
    const { token } = await app.build.staff(school, 'admin');
    await app.call(schoolClosingCalls.requestClosing, { params, token });
    return admin();
  },
  cancelClosing: async () => {
    await app.call(schoolClosingCalls.requestClosing, { params: { id: school.id }, token: admin() });
    return admin();
  },
  requestAdmin: async () => school.teacher.token,
  stopAdminRequest: async () => {
    await ownAdminRequest();
    return admin();
  },
  checkAdminRequest: async () => {
    await ownAdminRequest();
    return (await app.build.operator()).token;
  },
  confirmAdminRequest: async () => {
    await ownAdminRequest();
    const params = { schoolId: school.id, adminRequestId: Number(own.get(exampleParams.adminRequestId)) };
    const body = { check: 'Rang the school office' };
    await app.call(adminRequestCalls.checkAdminRequest, { token: (await app.build.operator()).token, params, body });
    return (await app.build.operator()).token;
  },
  cancelAdminRequest: async () => {
    await ownAdminRequest();
    return (await app.build.operator()).token;
  },
  makeProgram: async () => {
    await app.build.passkey(school.admin);
    return admin();
  },
  changeProgram: ownProgram,
  confirmProgram: ownProgram,
  revokeProgram: ownProgram,
  endCover: ownCover,
  makeSupplyCard: ownCover,
  logInWithCode: async () => {
    const params = { id: school.id, coverId: await startCover() };
    const { reply } = await app.call(coverCalls.makeSupplyCard, { token: admin(), params });
    own.set(EXAMPLE.supplyCode, reply.card.code);
    return undefined;
  },
  eraseOwnAccount: async () => school.teacher.token,
  resetFactors: async () => {
    await giveFactor(school.teacher.token);
    return admin();
  },
  requestRecovery: async () => {
    await app.database.kysely
      .updateTable('staff')
      .set({ role: 'teacher' })
      .where('school_id', '=', school.id)
      .execute();
    await giveFactor(school.teacher.token);
    return (await app.build.operator()).token;
  },
  confirmRecovery: async () => {
    await ownRecovery();
    return (await app.build.operator()).token;
  },
  cancelRecovery: async () => {
    await ownRecovery();
    return (await app.build.operator()).token;
  },
  cancelOwnRecovery: async () => {
    await ownRecovery();
    return school.teacher.token;
  },
  confirmAuthenticator: async () => {
    own.set(EXAMPLE.code, codeOf(await beginApp()));
    return admin();
  },
  renameFactor: ownFactor,
  removeFactor: ownFactor,
  renewRecoveryCodes: ownFactor,
  setUpWithProvider: async () => {
    const { kysely } = app.database;
    await kysely
      .insertInto('sign_in_connections')
      .values({
        school_id: school.id,
        provider: 'microsoft',
        tenant: null,
        counts_second_factor: false,
        created_at: new Date(),
      })
      .execute();
    await kysely.updateTable('users').set({ require_password_reset: true }).where('id', '=', school.admin.id).execute();
    return admin();
  },
  unlinkAccount: ownLinkedAccount,
  saveSignInConnection: ownLinkedAccount,
  removeSignInConnection: async () => {
    await ownLinkedAccount();
    const call = { token: admin(), params: { id: school.id, provider: 'microsoft' }, body: {} };
    await app.call(signInProviderCalls.saveSignInConnection, call);
    return admin();
  },
  addPasskey: async () => {
    const { reply } = await app.call(secondFactorCalls.beginPasskey, { token: admin() });
    own.set(EXAMPLE.passkey, passkey.create({ challenge: reply.options.challenge, rpId: PORTAL.hostname }));
    return admin();
  },
  logInWithPasskey: ownPasskey,
  proveIdentityWithPasskey: ownPasskey,
  verifyPasswordReset: () => link('password_reset'),
  resetPassword: () => link('password_reset'),
  exchangeSetUpLink: () => link('set_up'),
  unsubscribeFromDigest: async () => {
    await app.call(accessCalls.updateMe, { token: school.teacher.token, body: { weekly_school_digest_optin: true } });
    const token = newToken();
    const { id } = school.teacher;
    await inSchool(app.database, school.id, (db) => insertDigestLink(db, hashToken(token), id, new Date()));
    own.set(EXAMPLE.token, token);
    return undefined;
  },
  acceptInvite: async () => {
    const { email, token } = await app.build.person('enterprise');
    own.set(EXAMPLE.invite, (await app.build.invite(school, email)).link);
    return token;
  },
  removeInvite: ownInvite,
  removeInvites: ownInvite,
  resendInvite: ownInvite,
  confirmEmail: async () => {
    own.set(EXAMPLE.token, await app.build.link('email_confirmation', school.teacher.id, school.teacher.email));
    return undefined;
  },
  verifyEmailChange: ownEmailChange,
  stopEmailChange: ownEmailChange,
  agreeToEmailChange: ownEmailChange,
  resendConfirmation: async () => {
    const { id, token } = school.teacher;
    await app.database.kysely.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', id).execute();
    return token;
  },
  endSession: async () => {
    own.set(EXAMPLE.session, await loginOf(school.admin.email));
    return admin();
  },
  endSessionByLink: async () => {
    own.set(EXAMPLE.token, await app.build.link('end_session', school.teacher.id, await loginOf(school.teacher.email)));
    return undefined;
  },
  createSchool: async () => (await app.build.person('enterprise')).token,
  getPackage: async () => own.set(exampleParams.packageId, 5) && admin(),
  updatePackage: async () => own.set(exampleParams.packageId, 5) && (await app.build.operator()).token,
  startTrial: async () => {
    await withoutSubscription();
    return admin();
  },
  subscribe: async () => {
    await withoutSubscription();
    own.set(EXAMPLE.package, 5);
    return admin();
  },
  retryJob: async () => {
    const { rows } = await sql<{ id: string }>`
      insert into pgboss.job (name, state, completed_on) values ('mail', 'failed', now()) returning id`.execute(
      app.database.kysely,
    );
    own.set(EXAMPLE.job, rows[0]?.id);
    return (await app.build.operator()).token;
  },
  reconcilePayment: async () => {
    const payment = {
      session_id: EXAMPLE.paymentSession,
      invoice_number: EXAMPLE.invoiceNumber,
      reference: 'pi_1',
      amount_pence: 100,
      currency: 'gbp',
      reason: 'unknown_invoice' as const,
      received_at: new Date(),
    };
    await app.database.kysely.insertInto('unmatched_payments').values(payment).execute();
    return (await app.build.operator()).token;
  },
  grantCustomPackage: async () => (await app.build.operator()).token,
  getHostedInvoice: async () => own.set(EXAMPLE.invoiceToken, (await app.build.invoice(school)).token) && undefined,
  payInvoiceByCard: async () => own.set(EXAMPLE.invoiceToken, (await app.build.invoice(school)).token) && undefined,
  markInvoicePaid: () => invoiceToClose(),
  markInvoiceUncollectible: () => invoiceToClose(),
  creditInvoice: () => invoiceToClose(),
  reportPayment: async () => {
    own.set(EXAMPLE.invoiceNumber, (await app.build.invoice(school)).number);
    return admin();
  },
  getPasswordReset: async () => {
    const pupilIds = school.ownClass.pupils.map(({ id }) => id);
    const call = { token: admin(), params: { id: school.id }, body: { reader_ids: pupilIds } };
    own.set(EXAMPLE.passwordReset, (await app.call(loginCardCalls.resetPasswords, call)).reply.reset.id);
    return admin();
  },
  listNewLogins: async () => {
    const call = { token: admin(), params: { id: school.id }, body: { reader_ids: [school.ownClass.pupils[0]!.id] } };
    own.set(EXAMPLE.passwordReset, (await app.call(loginCardCalls.resetPasswords, call)).reply.reset.id);
    return admin();
  },
  restorePupils: async () => {
    const call = { token: admin(), params: { id: school.id }, body: { reader_ids: [school.ownClass.pupils[0]!.id] } };
    await app.call(archiveCalls.archivePupils, call);
    return admin();
  },
  erasePupil: async () => {
    const call = { token: admin(), params: { id: school.id }, body: { reader_ids: [school.ownClass.pupils[0]!.id] } };
    await app.call(archiveCalls.archivePupils, call);
    return admin();
  },
  applyYearEnd: async () => {
    await app.call(classCalls.renameClass, {
      token: admin(),
      params: { id: school.id, groupId: school.otherClass.id },
      body: { name: 'Kingfishers' },
    });
    return admin();
  },
  getSchoolRecordsRun: ownRun,
  applySchoolRecordsRun: ownRun,
  discardSchoolRecordsRun: ownRun,
  getRun: ownRun,
  undoRun: async () => {
    const token = await ownRun();
    const params = { id: school.id, runId: own.get(EXAMPLE.schoolRecordsRun) as number };
    const body = { version: own.get(EXAMPLE.schoolRecordsVersion) as string };
    await app.call(schoolRecordsCalls.applySchoolRecordsRun, { token, params, body });
    return token;
  },
  removeSchoolRecordsSource: ownRun,
  setSchoolRecordsConnection: ownConnection,
  testSchoolRecordsConnection: ownConnection,
  checkSchoolRecordsConnection: ownConnection,
  removeSchoolRecordsConnection: ownConnection,
  removePupilNote: async () => {
    const params = { id: school.id, readerId: school.ownClass.pupils[0]?.id ?? 0 };
    const { note } = (await app.call(pupilNoteCalls.addPupilNote, { params, body: { text: 'A note' }, token: admin() }))
      .reply;
    own.set(exampleParams.noteId, note.id);
    return admin();
  },
  renamePupilTag: ownTag,
  deletePupilTag: ownTag,
  tagPupils: ownTag,
  undoNeedResponse: async () => {
    const { response } = (
      await app.call(readingNeedsCalls.respondToNeed, {
        params: { id: school.id, readerId: school.ownClass.pupils[0]?.id ?? 0 },
        body: { need: 'nothing_assigned', response: 'done' },
        token: admin(),
      })
    ).reply;
    own.set(exampleParams.responseId, response.id);
    return admin();
  },
  getErasureReceipt: async () => {
    const pupilId = school.ownClass.pupils[1]?.id ?? 0;
    const params = { id: school.id };
    await app.call(archiveCalls.archivePupils, { token: admin(), params, body: { reader_ids: [pupilId] } });
    const erased = await app.call(archiveCalls.erasePupil, {
      token: admin(),
      params: { ...params, readerId: pupilId },
    });
    own.set(exampleParams.erasureId, erased.reply.erasure_id);
    return admin();
  },
  getSubjectRequest: () => ownSubjectRequest(false),
  recordSubjectStep: () => ownSubjectRequest(false),
  undoSubjectStep: () => ownSubjectRequest(false),
  listSubjectTexts: () => ownSubjectRequest(false),
  decideSubjectText: () => ownSubjectRequest(false),
  makeSubjectFile: () => ownSubjectRequest(true),
  downloadSubjectFile: () => ownSubjectRequest(true),
  closeSubjectRequest: () => ownSubjectRequest(false),
  eraseFormerMember: async () => {
    const params = { id: school.id, userId: school.teacher.id };
    await app.call(teacherCalls.removeTeacher, { token: admin(), params });
    return admin();
  },
  showCreatedLogins: async () => {
    const call = { token: admin(), params: { id: school.id }, body: { readers: [{ name: 'Amara Bell' }] } };
    const { links } = (await app.call(pupilImportCalls.createPupils, call)).reply;
    own.set(EXAMPLE.sheetToken, links?.logins.split('/').at(-1)?.replace('.pdf', ''));
    return admin();
  },
  getFile: async () => {
    const call = { token: admin(), params: { id: school.id }, body: { readers: [{ name: 'Amara Bell' }] } };
    const { links } = (await app.call(pupilImportCalls.createPupils, call)).reply;
    own.set(exampleParams.token, links?.logins.split('/').at(-1));
    return admin();
  },
  impersonate: async () => {
    const call = { token: (await app.build.operator()).token, body: { user_id: school.teacher.id, reason: 'A test' } };
    own.set(EXAMPLE.token, (await app.call(operatorCalls.mintImpersonation, call)).reply.code);
    return undefined;
  },
};

const PORTAL = new URL('http://localhost:8080');
let passkey: SoftwarePasskey;

const codeOf = (secret: string, offset = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: app.services.clock.now().getTime() + offset * 1000,
  });

async function beginApp(): Promise<string> {
  return (await app.call(secondFactorCalls.beginAuthenticator, { token: admin() })).reply.secret;
}

const confirmApp = (secret: string) =>
  app.call(secondFactorCalls.confirmAuthenticator, { token: admin(), body: { code: codeOf(secret), name: 'Phone' } });

/** A login that asks the admin for their first factor. */
async function enrolling(): Promise<undefined> {
  const { email } = school.admin;
  await app.database.kysely
    .updateTable('schools')
    .set({ admins_factor_from: '2026-11-01' })
    .where('id', '=', school.id)
    .execute();
  const { error } = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
  own.set(EXAMPLE.token, error.second_factor?.token);
}

async function giveFactor(token: string): Promise<void> {
  const { reply } = await app.call(secondFactorCalls.beginAuthenticator, { token });
  const body = { code: codeOf(reply.secret), name: 'Phone' };
  await app.call(secondFactorCalls.confirmAuthenticator, { token, body });
}

async function ownAdminRequest(): Promise<void> {
  const { token, id: teacherId } = school.teacher;
  const params = { id: school.id };
  const body = { former_admin_ids: [school.admin.id], new_admin_id: teacherId };
  await app.call(adminRequestCalls.requestAdmin, { token, params, body });
  const { reply } = await app.call(schoolCalls.getSchool, { token, params, query: {} });
  own.set(exampleParams.adminRequestId, reply.enterprise.admin_request?.id);
}

async function ownRecovery(): Promise<void> {
  const operator = await app.build.operator();
  await app.database.kysely
    .insertInto('factor_recoveries')
    .values({
      user_id: school.teacher.id,
      requested_by: operator.id,
      identity_check: 'video_call',
      requested_at: app.services.clock.now(),
    })
    .execute();
}

async function ownFactor(): Promise<string> {
  own.set(EXAMPLE.factor, (await confirmApp(await beginApp())).reply.factor.id);
  return admin();
}

async function ownLinkedAccount(): Promise<string> {
  const { id } = await app.database.kysely
    .insertInto('linked_accounts')
    .values({
      user_id: school.admin.id,
      provider: 'microsoft',
      issuer: 'https://login.example',
      subject: String(school.admin.id),
      tenant: 'a-tenant',
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  own.set(EXAMPLE.linkedAccount, id);
  return admin();
}

async function ownPasskey(): Promise<string> {
  const begun = await app.call(secondFactorCalls.beginPasskey, { token: admin() });
  const created = passkey.create({ challenge: begun.reply.options.challenge, rpId: PORTAL.hostname });
  await app.call(secondFactorCalls.addPasskey, { token: admin(), body: { passkey: created, name: 'Laptop' } });
  const { reply } = await app.call(secondFactorCalls.getPasskeyLoginOptions, {});
  own.set(EXAMPLE.passkey, passkey.get({ challenge: reply.options.challenge, rpId: PORTAL.hostname }));
  return admin();
}

/** The link in the announcement of a change of address. */
async function ownEmailChange(): Promise<undefined> {
  const { id } = school.teacher;
  const change = { email: 'new.address@oakfield.sch.example', now: app.services.clock.now() };
  await inPlatform(app.services.database, (db) => replaceEmailChange(db, id, change.email, change.now));
  own.set(EXAMPLE.token, await app.build.link('email_change', id));
}

/** Staff refer to an invite by its own ID, not by that of its link. */
async function ownInvite(): Promise<string> {
  own.set(EXAMPLE.invite, (await app.build.invite(school)).id);
  return admin();
}

/** A file that waits for a decision, of a source of its own. */
async function ownRun(): Promise<string> {
  const call = { token: admin(), params: { id: school.id } };
  const body = { xml: EXAMPLE.transferFile };
  const runId = (await app.call(schoolRecordsCalls.planSchoolRecords, { ...call, body })).reply.run_id ?? 0;
  const { version } = (
    await app.call(schoolRecordsCalls.getSchoolRecordsRun, { ...call, params: { ...call.params, runId } })
  ).reply;
  const { sources } = (await app.call(schoolRecordsCalls.getSchoolRecords, call)).reply;
  own.set(EXAMPLE.schoolRecordsRun, runId);
  own.set(EXAMPLE.schoolRecordsVersion, version);
  own.set(EXAMPLE.schoolRecordsSource, sources[0]?.id);
  return admin();
}

/** A connection to a server of this machine. */
async function ownConnection(): Promise<string> {
  const { url, tokenUrl: token_url, client } = roster;
  const body = { url, token_url, client_id: client.id, client_secret: client.secret };
  await app.call(schoolRecordsCalls.saveSchoolRecordsConnection, { token: admin(), params: { id: school.id }, body });
  return admin();
}

async function ownSubjectRequest(makesFile: boolean): Promise<string> {
  const { requestId, stepId, noteId } = await openSubjectRequest(app, school, { makesFile });
  own.set(exampleParams.requestId, requestId);
  own.set(exampleParams.stepId, stepId);
  own.set(exampleParams.noteId, noteId);
  return admin();
}

async function ownTag(): Promise<string> {
  const call = { token: admin(), params: { id: school.id }, body: { name: 'Choir' } };
  own.set(EXAMPLE.tag, (await app.call(pupilTagCalls.createPupilTag, call)).reply.id);
  return admin();
}

/** The public ID of a new session. */
async function loginOf(email: string): Promise<string> {
  const { reply } = await app.call(accessCalls.logIn, { body: { email, password: PASSWORD } });
  return sessionIdOf(hashToken(reply.meta.token));
}

async function withoutSubscription(): Promise<void> {
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', school.id).execute();
}

async function invoiceToClose(): Promise<string> {
  own.set(EXAMPLE.invoiceNumber, (await app.build.invoice(school)).number);
  return (await app.build.operator()).token;
}

/** Lets a supply teacher cover the class. Returns the cover's ID. */
async function startCover(): Promise<number> {
  const body = { group_id: school.ownClass.id, first_name: 'Priya', last_name: 'Shah', ends_at: EXAMPLE.coverEnd };
  const params = { id: school.id };
  return (await app.call(coverCalls.startCover, { token: admin(), params, body })).reply.cover.id;
}

async function ownCover(): Promise<string> {
  own.set(exampleParams.coverId, await startCover());
  return admin();
}

/** Adds a program, whose admin has a second factor. */
async function ownProgram(): Promise<string> {
  await app.build.passkey(school.admin);
  own.set(exampleParams.programId, (await app.build.program(school)).id);
  return admin();
}

async function link(kind: 'password_reset' | 'set_up'): Promise<undefined> {
  own.set(EXAMPLE.token, await app.build.link(kind, school.teacher.id));
}

async function tokenFor(call: Call): Promise<string | undefined> {
  const prepare = before[call.name as keyof typeof api];
  if (prepare) return prepare();
  if (call.permission === 'open') return undefined;
  if (call.permission === 'operator') return (await app.build.operator()).token;
  if (call.permission === 'program') return (await app.build.program(school)).token;
  return call.permission === 'reader' ? school.ownClass.pupils[0]?.token : admin();
}

describe.each(Object.values<Call>(api).map((call) => [call.name, call] as const))('the example of %s', (_, call) => {
  test('exists and works as documented', async () => {
    if (hasBody(call)) expect(call.example?.body).toBeDefined();
    const token = await tokenFor(call);
    const params = Object.fromEntries(
      Object.keys(call.params.shape).map((name) => [name, replaced(exampleParams[name]) as string | number]),
    );
    const { status, reply, error, headers } = await app.call(call, {
      params,
      ...(call.example?.query ? { query: replaced(call.example.query) as never } : {}),
      ...(call.example?.body ? { body: replaced(call.example.body) } : {}),
      ...(token ? { token } : {}),
    });
    expect({ status, error: status === 200 ? undefined : error }).toEqual({ status: 200, error: undefined });
    const type = String(headers['content-type']).split(';')[0];
    if (type === 'application/json' && !answersFilesAlone(call)) call.reply.parse(reply);
    else expect(call.files).toContain(type);
  });
});

const rejecting = Object.values<Call>(api).flatMap((call) =>
  call.rejected ? [[call.name, call, call.rejected] as const] : [],
);

test.each(rejecting)('the rejected example of %s is answered as documented', async (_, call, { body, errors }) => {
  const token = await tokenFor(call);
  const { status, error } = await app.call(call, { body, ...(token ? { token } : {}) });
  expect([status, error]).toEqual([422, toErrorReply('validation', { fields: { ...errors } })]);
});
