import { api } from '#contract/api.ts';
import { areaOf, type Call } from '#contract/call.ts';
import { chartCalls } from '#contract/calls/charts.ts';
import { operatorCalls } from '#contract/calls/operators.ts';
import { pupilCalls } from '#contract/calls/pupils.ts';
import { schoolCalls } from '#contract/calls/school.ts';
import { secondFactorCalls } from '#contract/calls/second-factor.ts';
import { supportAccessCalls } from '#contract/calls/support-access.ts';
import { exampleParams } from '#contract/examples.ts';
import { isAreaOpen } from '#contract/school-access.ts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testApp } from '../../../testing/app.ts';
import { PASSWORD } from '../../../testing/builder.ts';

const app = testApp();
beforeEach(() => app.setTime('2026-11-18T12:00:00.000Z'));

type School = Awaited<ReturnType<typeof app.build.school>>;
/** An operator's session as an admin of a school. */
async function supportOf(school: School): Promise<string> {
  const operator = await app.build.operator();
  const body = { user_id: school.admin.id, reason: 'Ticket 4711: a class is missing' };
  const { code } = (await app.call(operatorCalls.mintImpersonation, { token: operator.token, body })).reply;
  return (await app.call(operatorCalls.impersonate, { body: { code } })).reply.meta.token;
}

const ask = (call: Call, school: School, token: string, body: Readonly<Record<string, unknown>> = {}) => {
  const ids: Record<string, unknown> = { ...exampleParams, id: school.id };
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
  const query = call.example?.query ? `?${new URLSearchParams(call.example.query as never)}` : '';
  return app.ask(call.method, path + query, { token, ...(call.method === 'POST' ? { payload: body } : {}) });
};
/** Calls that programs alone can make are closed to staff, and so to support. */
const byPeople = Object.values<Call>(api).filter(({ permission }) => permission !== 'program');
const inSchool = byPeople.filter((call) => areaOf(call) !== undefined);
const allow = (school: School) =>
  app.call(supportAccessCalls.allowSupportAccess, { token: school.admin.token, params: { id: school.id } });
const listPupils = (school: School, token: string) =>
  app.call(pupilCalls.listPupils, { token, params: { id: school.id } });

describe('support without an admin’s permission', () => {
  let school: School;
  let token: string;
  beforeAll(async () => {
    app.setTime('2026-11-18T12:00:00.000Z');
    school = await app.build.school();
    token = await supportOf(school);
  });

  test.each(inSchool.map((call) => [call.name, call] as const))(
    'support without permission: %s is answered by its area',
    async (_, call) => {
      const { status, error } = await ask(call, school, token);
      const area = areaOf(call);
      if (!area) throw new Error('a call in a school has an area');
      const isOpen = isAreaOpen(area, 'support');
      const answer = call.ownerOnly ? 'not_while_impersonating' : isOpen ? undefined : 'support_not_allowed';
      if (answer) expect([status, error.code]).toEqual([409, answer]);
      else expect(error.code).not.toBe('support_not_allowed');
    },
  );

  test('support without permission can make these calls and no others', async () => {
    const own = await app.build.school();
    const support = await supportOf(own);
    const closed: unknown[] = ['not_while_impersonating', 'support_not_allowed'];
    const allowed: string[] = [];
    // Logging out ends the session.
    const calls = byPeople.filter(({ permission }) => permission !== 'open' && permission !== 'reader');
    for (const call of calls.toSorted(
      (first, second) => Number(first.name === 'logOut') - Number(second.name === 'logOut'),
    )) {
      const { status, error } = await ask(call, own, support, call.example?.body);
      expect([call.name, status]).not.toEqual([call.name, 401]);
      if (call.permission === 'operator') expect([call.name, status]).toEqual([call.name, 403]);
      else if (!closed.includes(error.code)) allowed.push(call.name);
    }
    expect(allowed.sort()).toEqual([
      'getBillingContact',
      'getMe',
      'getNeedThresholds',
      'getPackage',
      'getSchool',
      'getSchoolHours',
      'getSubscription',
      'getSupportAccess',
      'listMailDeliveries',
      'listPackages',
      'listPaymentReports',
      'listTermDates',
      'logOut',
      'removeTermDates',
      'reportPayment',
      'sendEnquiry',
      'updateContact',
      'updateDaysOff',
      'updateNeedThresholds',
      'updateSchool',
      'updateSchoolDetails',
      'updateSchoolHours',
      'updateTermDates',
    ]);
  });

  test('support without permission gets the school without pupils, and the state that says so', async () => {
    const at = { token, params: { id: school.id }, query: { include: 'readers' } };
    const { reply } = await app.call(schoolCalls.getSchool, at);
    expect(reply).toMatchObject({ enterprise: { access: 'support' }, meta: { omitted: ['readers'] } });
    expect(JSON.stringify(reply)).not.toContain(school.unplaced.name);
  });

  test('support gets a locked school without pupils, also with an admin’s permission', async () => {
    const debtor = await app.build.school();
    await app.build.invoice(debtor);
    await app.database.kysely
      .updateTable('invoices')
      .set({ due_date: '2020-01-01', locks_on: '2020-01-08' })
      .where('school_id', '=', debtor.id)
      .execute();
    const at = { token: await supportOf(debtor), params: { id: debtor.id }, query: { include: 'invoices,readers' } };
    const stateOf = async () => {
      const { status, reply } = await app.call(schoolCalls.getSchool, at);
      expect(reply.enterprise.invoices?.meta.has_outstanding_invoice).toBe(true);
      return [status, reply.enterprise.access, reply.meta.omitted];
    };
    expect(await stateOf()).toEqual([200, 'support', ['readers']]);
    await allow(debtor);
    expect(await stateOf()).toEqual([200, 'locked', ['readers']]);
  });
});

describe('an admin’s permission', () => {
  test('an admin’s permission lasts an hour, and can be given again', async () => {
    const school = await app.build.school();
    const token = await supportOf(school);
    expect((await listPupils(school, token)).status).toBe(409);
    const { reply } = await allow(school);
    expect(reply.support_access).toEqual({
      allowed_until: '2026-11-18T13:00:00.000Z',
      allowed_by: { id: school.admin.id, name: 'Morgan Admin' },
    });
    expect((await listPupils(school, token)).status).toBe(200);
    app.setTime('2026-11-18T12:30:00.000Z');
    const proof = { token: school.admin.token, body: { password: PASSWORD } };
    expect((await app.call(secondFactorCalls.proveIdentity, proof)).status).toBe(200);
    expect((await allow(school)).reply.support_access.allowed_until).toBe('2026-11-18T13:30:00.000Z');
    app.setTime('2026-11-18T13:29:59.999Z');
    const later = await supportOf(school);
    expect((await listPupils(school, later)).status).toBe(200);
    app.setTime('2026-11-18T13:30:00.000Z');
    expect((await listPupils(school, later)).status).toBe(409);
    const now = await app.call(supportAccessCalls.getSupportAccess, {
      token: school.admin.token,
      params: { id: school.id },
    });
    expect(now.reply.support_access).toEqual({ allowed_until: null, allowed_by: null });
  });

  test('withdrawing the permission ends the support session at once, recorded once in the audit log', async () => {
    const school = await app.build.school();
    const token = await supportOf(school);
    await allow(school);
    const at = { token: school.admin.token, params: { id: school.id } };
    const ends = [0, 1].map(() => app.call(supportAccessCalls.endSupportAccess, at));
    expect((await Promise.all(ends)).map(({ status }) => status)).toEqual([200, 200]);
    expect((await listPupils(school, token)).status).toBe(401);
    const { entries } = (await app.call(schoolCalls.listAuditLog, at)).reply;
    expect(entries.filter(({ action }) => action.startsWith('support_')).map(({ action }) => action)).toEqual([
      'support_ended',
      'support_allowed',
    ]);
  });

  test('a permission that has run out ends without an entry in the audit log', async () => {
    const school = await app.build.school();
    const at = { token: school.admin.token, params: { id: school.id } };
    await allow(school);
    app.setTime('2026-11-18T13:00:00.000Z');
    expect((await app.call(supportAccessCalls.endSupportAccess, at)).status).toBe(200);
    const { entries } = (await app.call(schoolCalls.listAuditLog, at)).reply;
    expect(entries.map(({ action }) => action)).not.toContain('support_ended');
  });

  test('a permission is for one school, does not change what its own staff can do, and needs an admin', async () => {
    const [school, other] = [await app.build.school(), await app.build.school()];
    await allow(other);
    expect((await listPupils(school, await supportOf(school))).status).toBe(409);
    expect((await listPupils(school, school.teacher.token)).status).toBe(200);
    const at = { token: school.teacher.token, params: { id: school.id } };
    expect((await app.call(supportAccessCalls.allowSupportAccess, at)).status).toBe(403);
    expect((await app.call(supportAccessCalls.getSupportAccess, at)).status).toBe(403);
  });

  test('a permission does not open a school that owes money', async () => {
    const school = await app.build.school();
    const token = await supportOf(school);
    await allow(school);
    await app.database.kysely.deleteFrom('subscriptions').where('school_id', '=', school.id).execute();
    const { status, error } = await app.call(chartCalls.getChart, {
      token,
      params: { id: school.id },
      query: { name: 'readers_accuracy_by_reading_level' } as never,
    });
    expect([status, error.code]).toEqual([402, 'no_subscription']);
  });

  test('operators see the permission, and the school what support does', async () => {
    const school = await app.build.school();
    const operator = await app.build.operator();
    const state = async () =>
      (await app.call(operatorCalls.getSchoolState, { token: operator.token, params: { schoolId: school.id } })).reply
        .school.support_allowed_until;
    expect(await state()).toBeNull();
    await allow(school);
    expect(await state()).toBe('2026-11-18T13:00:00.000Z');
    const token = await supportOf(school);
    const renamed = { token, params: { id: school.id, readerId: school.unplaced.id }, body: { name: 'Mina Khan' } };
    expect((await app.call(pupilCalls.renamePupil, renamed)).status).toBe(200);
    const { reply } = await app.call(schoolCalls.listAuditLog, {
      token: school.admin.token,
      params: { id: school.id },
      query: { actor_id: 'support' },
    });
    expect(reply.entries.map(({ action }) => action)).toEqual(['pupil_renamed', 'impersonation_started']);
  });
});
