import { api } from '#contract/api.ts';
import { answersFilesAlone, type Call, hasBody } from '#contract/call.ts';
import { accessCalls } from '#contract/calls/access.ts';
import { archiveCalls } from '#contract/calls/archive.ts';
import { classCalls } from '#contract/calls/classes.ts';
import { loginCardCalls } from '#contract/calls/login-cards.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { pupilNoteCalls } from '#contract/calls/pupil-notes.ts';
import { pupilTagCalls } from '#contract/calls/pupil-tags.ts';
import { readingNeedsCalls } from '#contract/calls/reading-needs.ts';
import { pupilImportCalls } from '#contract/calls/pupil-import.ts';
import { yearEndCalls } from '#contract/calls/year-end.ts';
import { EXAMPLE, exampleParams } from '#contract/examples.ts';
import { sql } from 'kysely';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { hashToken, newToken } from '../auth/tokens.ts';
import { inSchool } from '../database/school.ts';
import { insertDigestLink } from '../features/reading/digest.queries.ts';
import { testApp } from '../testing/app.ts';
import { startFakeStripe } from '../testing/fake-stripe.ts';
import { type BuiltSchool, PASSWORD } from '../testing/builder.ts';

const stripe = await startFakeStripe();
afterAll(() => stripe.stop());
const app = testApp(stripe.settings);
let school: BuiltSchool;
/** The test's own value for each value in the examples. */
let own: Map<unknown, unknown>;

beforeEach(async () => {
  school = await app.build.school();
  const [pupil] = school.ownClass.pupils;
  const [otherPupil] = school.otherClass.pupils;
  own = new Map<unknown, unknown>([
    [EXAMPLE.school, school.id],
    [EXAMPLE.class, school.ownClass.id],
    [EXAMPLE.otherClass, school.otherClass.id],
    [EXAMPLE.pupil, pupil?.id],
    [EXAMPLE.otherPupil, otherPupil?.id],
    [EXAMPLE.teacher, school.teacher.id],
    [EXAMPLE.teacherEmail, school.teacher.email],
    [EXAMPLE.password, PASSWORD],
    [EXAMPLE.username, pupil?.username],
    [EXAMPLE.invite, (await app.build.invite(school)).link],
  ]);
});

const replaced = (value: unknown): unknown => {
  if (own.has(value)) return own.get(value);
  if (Array.isArray(value)) return value.map(replaced);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part)]));
};

const admin = () => school.admin.token;

/** Preconditions of some calls. */
const before: { [Name in keyof typeof api]?: () => Promise<string | undefined> } = {
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
  resendInvite: ownInvite,
  confirmEmail: async () => {
    own.set(EXAMPLE.token, await app.build.link('email_confirmation', school.teacher.id, school.teacher.email));
    return undefined;
  },
  resendConfirmation: async () => {
    const { id, token } = school.teacher;
    await app.database.kysely.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', id).execute();
    return token;
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
    own.set(EXAMPLE.passwordReset, (await app.call(loginCardCalls.makeLoginCards, call)).reply.reset.id);
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
  carryOutYearEnd: async () => {
    await app.call(classCalls.renameClass, {
      token: admin(),
      params: { id: school.id, groupId: school.otherClass.id },
      body: { name: 'Kingfishers' },
    });
    return admin();
  },
  undoYearEnd: async () => {
    const { id: classId, name } = school.otherClass;
    const step = { step: 'moves_up' as const, group_id: classId, from: name, name: 'Herons 4', manager_id: null };
    const call = { token: admin(), params: { id: school.id }, body: { classes: [step] } };
    own.set(EXAMPLE.yearEnd, (await app.call(yearEndCalls.carryOutYearEnd, call)).reply.year_end.id);
    return admin();
  },
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

/** Staff refer to an invite by its own ID, not by that of its link. */
async function ownInvite(): Promise<string> {
  own.set(EXAMPLE.invite, (await app.build.invite(school)).id);
  return admin();
}

async function ownTag(): Promise<string> {
  const call = { token: admin(), params: { id: school.id }, body: { name: 'Choir' } };
  own.set(EXAMPLE.tag, (await app.call(pupilTagCalls.createPupilTag, call)).reply.id);
  return admin();
}

async function withoutSubscription(): Promise<void> {
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', school.id).execute();
}

async function invoiceToClose(): Promise<string> {
  own.set(EXAMPLE.invoiceNumber, (await app.build.invoice(school)).number);
  return (await app.build.operator()).token;
}

async function link(kind: 'password_reset' | 'set_up'): Promise<undefined> {
  own.set(EXAMPLE.token, await app.build.link(kind, school.teacher.id));
}

async function tokenFor(call: Call): Promise<string | undefined> {
  const prepare = before[call.name as keyof typeof api];
  if (prepare) return prepare();
  if (call.permission === 'open') return undefined;
  if (call.permission === 'operator') return (await app.build.operator()).token;
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
