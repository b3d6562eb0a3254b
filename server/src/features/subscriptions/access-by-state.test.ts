import { accessCalls } from '#contract/calls/access.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolAccess } from '#contract/school-access.ts';
import { beforeEach, expect, test } from 'vitest';
import { testApp } from '../../testing/app.ts';
import { type BuiltSchool, CONTACT, makeSession } from '../../testing/builder.ts';

const app = testApp();
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

const pupilsAs = (school: BuiltSchool, token: string) =>
  app.call(pupilCalls.listPupils, { token, params: { id: school.id } });

/** The access that the school's record states, and the response to a teacher who lists pupils. */
async function accessOf(school: BuiltSchool): Promise<unknown[]> {
  const { token } = school.teacher;
  const record = await app.call(schoolCalls.getSchool, { token, params: { id: school.id } });
  const { status, error } = await pupilsAs(school, token);
  expect((await pupilsAs(school, school.admin.token)).status).toBe(status);
  expect((await app.call(accessCalls.getMe, { token })).status).toBe(200);
  return [record.reply.enterprise.access, status, ...(status === 200 ? [] : [error.error_type, error.code])];
}

test('an overdue invoice takes precedence over the end of a subscription', () => {
  const school = { isClosed: false, hasSubscription: true, hasExpired: false, hasOutstandingInvoice: false };
  expect(schoolAccess(school)).toBe('open');
  expect(schoolAccess({ ...school, hasExpired: true })).toBe('expired');
  expect(schoolAccess({ ...school, hasExpired: true, hasOutstandingInvoice: true })).toBe('locked');
  expect(schoolAccess({ ...school, hasSubscription: false })).toBe('none');
  expect(schoolAccess({ ...school, hasOutstandingInvoice: true, isClosed: true })).toBe('closed');
});

test('a school is locked from the day after the due date in London until it pays; reading is accepted throughout', async () => {
  const school = await app.build.school();
  const invoice = await app.build.invoice(school);
  const read = async () => {
    const session = makeSession({ started_at: '2026-11-18T10:00:00.000Z' });
    const { reply } = await app.call(readingAppCalls.storeSessions, {
      token: school.unplaced.token,
      body: { sessions: [session] },
    });
    return reply.accepted;
  };
  app.setTime('2026-12-18T23:59:59Z');
  await extendSessions();
  expect(await accessOf(school)).toEqual(['open', 200]);
  app.setTime('2026-12-19T00:00:00Z');
  expect(await accessOf(school)).toEqual(['locked', 402, 'payment', 'locked']);
  expect(await read()).toBe(1);
  expect(
    (await app.call(billingCalls.listPackages, { token: school.admin.token, params: { id: school.id } })).status,
  ).toBe(200);
  const { token } = await app.build.operator();
  await app.call(billingConsoleCalls.markInvoicePaid, { token, params: { invoiceNumber: invoice.number }, body: {} });
  expect(await accessOf(school)).toEqual(['open', 200]);
  expect((await pupilsAs(school, school.admin.token)).reply.readers).toHaveLength(4);
});

test('a school without an active subscription can reach billing but not its pupils', async () => {
  const school = await app.build.school();
  app.setTime('2027-11-18T12:00:00Z');
  await extendSessions();
  expect(await accessOf(school)).toEqual(['expired', 402, 'payment', 'expired']);
  await app.call(billingCalls.subscribe, {
    token: school.admin.token,
    params: { id: school.id },
    body: { package_id: 2, contact: CONTACT },
  });
  expect(await accessOf(school)).toEqual(['open', 200]);

  const none = await app.build.school();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', none.id).execute();
  expect(await accessOf(none)).toEqual(['none', 402, 'payment', 'no_subscription']);
});

/** Keeps all sessions valid while the test moves the clock. */
const extendSessions = () =>
  app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date('2027-11-18T12:00:00Z'), expires_at: new Date('2040-01-01') })
    .execute();
