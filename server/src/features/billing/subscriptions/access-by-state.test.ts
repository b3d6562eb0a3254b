import { accessCalls } from '#contract/calls/access.ts';
import { billingCalls } from '#contract/calls/billing.ts';
import { billingConsoleCalls } from '#contract/calls/billing-console.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { readingAppCalls } from '#contract/calls/reading-app.ts';
import { schoolClosingCalls } from '#contract/calls/school-closing.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { schoolAccess } from '#contract/school-access.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { type BuiltSchool, CONTACT, makeSession } from '../../../testing/builder.ts';

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

test('a school is locked from the working day after the due date in London until it pays; reading is accepted throughout', async () => {
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
  // The due date is Friday 18 December 2026.
  app.setTime('2026-12-20T23:59:59Z');
  await extendSessions();
  expect(await accessOf(school)).toEqual(['open', 200]);
  app.setTime('2026-12-21T00:00:00Z');
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

  const withoutSubscription = await app.build.school();
  await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', withoutSubscription.id).execute();
  expect(await accessOf(withoutSubscription)).toEqual(['none', 402, 'payment', 'no_subscription']);
});

/** Keeps all sessions valid while the test moves the clock. */
const extendSessions = () =>
  app.database.kysely
    .updateTable('sessions')
    .set({ last_used_at: new Date('2027-11-18T12:00:00Z'), expires_at: new Date('2040-01-01') })
    .execute();

describe('calls in each state of a school', () => {
  const STATES: Record<string, { access: string; hidesPupils?: true; enter(school: BuiltSchool): Promise<unknown> }> = {
    'is subscribed': { access: 'open', enter: async () => undefined },
    'has no subscription': {
      access: 'none',
      hidesPupils: true,
      enter: ({ id }) => sql`delete from subscriptions where school_id = ${id}`.execute(app.database.kysely),
    },
    'has finished its trial': {
      access: 'expired',
      hidesPupils: true,
      enter: ({ id }) => endSubscription(id, true),
    },
    'has an expired subscription': {
      access: 'expired',
      hidesPupils: true,
      enter: ({ id }) => endSubscription(id, false),
    },
    'is locked': { access: 'locked', hidesPupils: true, enter: (school) => lock(school) },
    'has not accepted the terms': {
      access: 'open',
      hidesPupils: true,
      enter: ({ id }) => sql`update schools set terms_accepted_at = null where id = ${id}`.execute(app.database.kysely),
    },
    'has neither accepted the terms nor a subscription': {
      access: 'none',
      hidesPupils: true,
      enter: async ({ id }) => {
        await sql`update schools set terms_accepted_at = null where id = ${id}`.execute(app.database.kysely);
        await sql`delete from subscriptions where school_id = ${id}`.execute(app.database.kysely);
      },
    },
    'has staff whose addresses are unconfirmed on day 8': {
      access: 'open',
      hidesPupils: true,
      enter: ({ id }) =>
        sql`update users set email_confirmed_at = null, created_at = '2026-11-10T12:00:00Z'
          where id in (select user_id from user_schools where school_id = ${id})`.execute(app.database.kysely),
    },
    'is about to close': {
      access: 'open',
      enter: ({ id, admin }) =>
        app.call(schoolClosingCalls.requestClosing, { token: admin.token, params: { id }, body: {} }),
    },
    'has closed': {
      access: 'closed',
      enter: ({ id, admin }) =>
        sql`insert into school_closings (school_id, requested_by, requested_at, takes_effect_at, closed_at, erase_at)
          values (${id}, ${admin.id}, '2026-11-01', '2026-11-08', '2026-11-08', '2026-12-08')`.execute(
          app.database.kysely,
        ),
    },
  };
  const endSubscription = (id: number, isTrial: boolean) =>
    sql`update subscriptions set is_trial = ${isTrial}, starts_at = '2026-01-01', expires_at = '2026-02-01'
      where school_id = ${id}`.execute(app.database.kysely);
  async function lock(school: BuiltSchool) {
    await app.build.invoice(school);
    await sql`update invoices set due_date = '2026-11-17', locks_on = '2026-11-18' where school_id = ${school.id}`.execute(
      app.database.kysely,
    );
  }

  const INCLUDES = [undefined, '', 'invoices', 'readers', 'invoices,readers', 'readers,invoices'];

  test.each(Object.entries(STATES))(
    'the calls from which a client chooses its screen answer when the school %s',
    async (_, { access, hidesPupils, enter }) => {
      const school = await app.build.school();
      await enter(school);
      const params = { id: school.id };
      for (const role of ['admin', 'teacher'] as const) {
        const { token } = school[role];
        for (const include of INCLUDES) {
          const query = include === undefined ? {} : { include };
          const { status, reply } = await app.call(schoolCalls.getSchool, { token, params, query });
          expect([role, include, status]).toEqual([role, include, 200]);
          expect(reply.enterprise).toMatchObject({ id: school.id, access });
          const requested = (include ?? '').split(',').filter(Boolean);
          const omitted = requested.filter((part) => (part === 'readers' ? hidesPupils : role === 'teacher'));
          expect([role, include, reply.meta.omitted]).toEqual([role, include, omitted]);
          for (const part of ['readers', 'invoices'] as const)
            expect([role, include, part, part in reply.enterprise]).toEqual([
              role,
              include,
              part,
              requested.includes(part) && !omitted.includes(part),
            ]);
        }
        expect((await app.call(accessCalls.getMe, { token })).reply.user.enterprise?.id).toBe(school.id);
        const isAdmin = role === 'admin';
        for (const billingCall of [billingCalls.getSubscription, billingCalls.listPackages])
          expect([billingCall.name, role, (await app.call(billingCall, { token, params })).status]).toEqual([
            billingCall.name,
            role,
            isAdmin ? 200 : 403,
          ]);
        const onePackage = { token, params: { ...params, packageId: 2 } };
        expect((await app.call(billingCalls.getPackage, onePackage)).status).toBe(isAdmin ? 200 : 403);
      }
    },
  );
});
